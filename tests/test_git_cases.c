/* SPDX-License-Identifier: MIT */
/*
 * test_git_cases.c - packs, indexes and loose objects that have made other programs loop, crash or
 * take the false for the true. What git 2.39.5 says of them stands in each row.
 */
#include "test.h"

#include <zlib.h>

#include "git_files.h"

static const struct blocksha_git_options plain = {.jobs = 2};

/* --- Packs without an index ------------------------------------------------------- */

struct pack_case {
	const char *what, *hex;
	uint64_t objects;            /* that have a name */
	enum blocksha_git_kind kind; /* of a finding that there must be; notes alone: it is good */
	const char *text;
};

static const struct pack_case pack_cases[] = {
	{"REF delta on itself: unresolved", /* index-pack: 128 */
	 "5041434b00000002000000017501d7713666f4de822776c7622c10f1b07de280dc789c63626262670000002b"
	 "000eacb3498b92a125de213766eb8e4136141c6981d6",
	 0, BLOCKSHA_GIT_MISSING,
	 "unresolved delta: its base 01d7713666f4de822776c7622c10f1b07de280dc was not found"},
	{"OFS delta with distance 0", /* 128 */
	 "5041434b000000020000000165"
	 "00789c63626262670000002b000e2303c3abbc1d98bf08532664adf2404e64ca579c",
	 0, BLOCKSHA_GIT_MALFORMED, "delta that is its own base"},
	{"OFS delta whose base would lie before the file", /* 128 */
	 "5041434b000000020000000165a608789c63626262670000002b000e69579db9c92a8d0f64dc28dff2b68960"
	 "f36af403",
	 0, BLOCKSHA_GIT_MALFORMED, "base of a delta lies before the first object"},
	{"4278190080 objects in 41 bytes", /* 128 */
	 "5041434b00000002ff00000030789c0300000000019b56446b3239d84a10ebba68400c31a180e62be2", 0,
	 BLOCKSHA_GIT_MALFORMED, "more objects than there is room for"},
	{"an object twice", /* 0 */
	 "5041434b000000020000000231789cab00000079007931789cab000000790079c56d25f1e8721379704ea1ea"
	 "b2e5e050c0d94c99",
	 2, BLOCKSHA_GIT_NOTE, "object is in the pack more than once"},
	{"an empty blob", /* 0 */
	 "5041434b000000020000000130789c0300000000011163065f24157cc2f4576f363464a2e70031eabc", 1,
	 BLOCKSHA_GIT_NOTE, ""},
	{"the same without trailer", /* 128 */
	 "5041434b000000020000000130789c030000000001", 0, BLOCKSHA_GIT_MALFORMED,
	 "too short for a pack"},
	{"the same with zeros as trailer", /* 128 */
	 "5041434b000000020000000130789c0300000000010000000000000000000000000000000000000000", 1,
	 BLOCKSHA_GIT_DAMAGED, "wrong checksum of the pack"},
	{"3 bytes declared, 2 there", /* 128 */
	 "5041434b000000020000000133789c6367000000100008ef69d970ce5797a3fc5a1757272ffb8ec4118280",
	 0, BLOCKSHA_GIT_DAMAGED, "inflates to less than its declared size"},
	{"1 byte declared, 2 there", /* 128 */
	 "5041434b000000020000000131789c636700000010000838ffe10baa1b29411cda8b2f742c891dab7844dd",
	 0, BLOCKSHA_GIT_DAMAGED, "inflates to more than its declared size"},
	{"type 0", /* 128 */
	 "5041434b000000020000000100789c03000000000177357ad0c2c0bc6af28eb75e1a9c118f097385c8", 0,
	 BLOCKSHA_GIT_MALFORMED, "unknown type of object"},
	{"type 5", /* 128 */
	 "5041434b000000020000000150789c030000000001c7113e928cdf4d4885c9d8d9c6ff144c3aaa40c3", 0,
	 BLOCKSHA_GIT_MALFORMED, "unknown type of object"},
	{"version 1", /* 128 */
	 "5041434b000000010000000130789c030000000001e57c2fcc066426bc81a3d96773ef2d79534fb898", 0,
	 BLOCKSHA_GIT_MALFORMED, "unknown version of a pack"},
	{"version 3", /* 0 */
	 "5041434b000000030000000130789c030000000001884a8ff5bdbd960dd7561291f398163b6f3cc4e7", 1,
	 BLOCKSHA_GIT_NOTE, ""},
	{"a base that is not in the pack", /* 128 */
	 "5041434b000000020000000175e68fe8129b546b101aee9510c5328e7f21ca1d18789c63626262670000002b"
	 "000e0eeefb7dafe4f3cdeb00da5485b2188174659952",
	 0, BLOCKSHA_GIT_MISSING,
	 "unresolved delta: its base e68fe8129b546b101aee9510c5328e7f21ca1d18 was not found"},
	{"no object", /* 0 */
	 "5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e", 0, BLOCKSHA_GIT_NOTE,
	 ""},
	{"nothing", "", 0, BLOCKSHA_GIT_MALFORMED, "too short for a pack"},
};

static struct test_bytes bytes_of(const char *hex)
{
	const char *const lines[] = {hex, NULL};

	return test_bytes_of(lines, strlen(hex) / 2);
}

static void packs(void)
{
	for (size_t i = 0; i < TEST_COUNT(pack_cases); i++) {
		const struct pack_case *row = &pack_cases[i];
		struct test_bytes pack = bytes_of(row->hex);
		struct test_findings found, other;

		test_verify_pack(&plain, pack.data, pack.size, NULL, 0, &found, &other);
		CHECK_INT((long long)found.objects, (long long)row->objects, "%s: objects",
			  row->what);
		if (row->kind == BLOCKSHA_GIT_NOTE)
			CHECK_INT(test_faults(&found), 0, "%s", row->what);
		else
			CHECK(found.kinds[row->kind] > 0, "%s", row->what);
		CHECK(row->text[0] == '\0' || test_has_text(&found, row->text), "%s: %s", row->what,
		      found.all);
		free(pack.data);
	}
}

/* --- Packs that are made here ----------------------------------------------------- */

static void put(struct test_bytes *bytes, const void *data, size_t size)
{
	bytes->data = realloc(bytes->data, bytes->size + size + 1);
	TEST_REQUIRE(bytes->data != NULL, "realloc");
	if (size > 0)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static void put_byte(struct test_bytes *bytes, unsigned byte)
{
	unsigned char one = (unsigned char)byte;

	put(bytes, &one, 1);
}

static void put_be32(struct test_bytes *bytes, uint32_t value)
{
	for (unsigned shift = 32; shift > 0; shift -= 8)
		put_byte(bytes, value >> (shift - 8) & 0xff);
}

static void begin_pack(struct test_bytes *pack, uint32_t count)
{
	memset(pack, 0, sizeof(*pack));
	put(pack, "PACK", 4);
	put_be32(pack, 2);
	put_be32(pack, count);
}

/* A zlib stream of stored blocks, with the Adler-32 of RFC 1950. */
static void put_stored(struct test_bytes *pack, const unsigned char *data, size_t size)
{
	uint32_t a = 1, b = 0;

	put(pack, "\x78\x01\x01", 3);
	put_byte(pack, size & 0xff);
	put_byte(pack, (unsigned)(size >> 8));
	put_byte(pack, ~size & 0xff);
	put_byte(pack, ~size >> 8 & 0xff);
	put(pack, data, size);
	for (size_t i = 0; i < size; i++) {
		a = (a + data[i]) % 65521;
		b = (b + a) % 65521;
	}
	put_be32(pack, b << 16 | a);
}

static void put_header(struct test_bytes *pack, unsigned type, uint64_t size)
{
	unsigned byte = type << 4 | (unsigned)(size & 15);

	for (size >>= 4; size != 0; size >>= 7) {
		put_byte(pack, byte | 0x80);
		byte = (unsigned)(size & 0x7f);
	}
	put_byte(pack, byte);
}

/* The distance to the base of an OFS delta. */
static void put_distance(struct test_bytes *pack, uint64_t distance)
{
	unsigned char bytes[10];
	size_t at = sizeof(bytes);

	bytes[--at] = (unsigned char)(distance & 0x7f);
	while ((distance >>= 7) != 0)
		bytes[--at] = (unsigned char)(0x80 | (--distance & 0x7f));
	put(pack, bytes + at, sizeof(bytes) - at);
}

static void end_pack(struct test_bytes *pack)
{
	unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE];

	blocksha_sha1(pack->data, pack->size, digest);
	put(pack, digest, sizeof(digest));
}

/* A chain: a blob of two bytes, and deltas of which each writes both anew. */
static void long_chain(void)
{
	const uint32_t length = test_quick() ? 2000 : 20000;
	struct test_findings found, other;
	struct test_bytes pack;
	size_t previous;

	for (int branches = 0; branches < 2; branches++) {
		begin_pack(&pack, length + 1);
		previous = pack.size;
		put_header(&pack, 3, 2);
		put_stored(&pack, (const unsigned char *)"ab", 2);
		for (uint32_t i = 0; i < length; i++) {
			const unsigned char delta[] = {2, 2, 2, i & 0xff, i >> 8 & 0xff};
			size_t here = pack.size;

			put_header(&pack, 6, sizeof(delta));
			put_distance(&pack, here - previous);
			put_stored(&pack, delta, sizeof(delta));
			/* With branches every second one is a leaf. */
			if (!branches || i % 2 == 0)
				previous = here;
		}
		end_pack(&pack);
		for (unsigned jobs = 1; jobs <= 3; jobs++) {
			/* So little that nothing but what is at hand can be kept. */
			struct blocksha_git_options options = {.jobs = jobs, .memory = 100 * jobs};

			test_verify_pack(&options, pack.data, pack.size, NULL, 0, &found, &other);
			CHECK_INT(test_faults(&found), 0, "chain, %u jobs: %s", jobs,
				  found.texts[BLOCKSHA_GIT_LIMIT]);
			CHECK_INT((long long)found.objects, length + 1, "chain, %u jobs", jobs);
		}
		free(pack.data);
	}
}

/* Declared sizes that nothing can have: refused before anything is allocated. */
static void large_sizes(void)
{
	static const struct {
		uint64_t size;
		const char *text;
	} rows[] = {
		{UINT64_C(1) << 40, "inflates to less than its declared size"},
		{UINT64_MAX, "inflates to less than its declared size"},
		{(UINT64_C(1) << 32) + 1, "inflates to less than its declared size"},
	};

	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		struct test_findings found, other;
		struct test_bytes pack;

		begin_pack(&pack, 1);
		put_header(&pack, 3, rows[i].size);
		put_stored(&pack, (const unsigned char *)"x", 1);
		end_pack(&pack);
		test_verify_pack(&plain, pack.data, pack.size, NULL, 0, &found, &other);
		CHECK(strcmp(found.texts[BLOCKSHA_GIT_DAMAGED], rows[i].text) == 0,
		      "%" PRIu64 ": %s", rows[i].size, found.texts[BLOCKSHA_GIT_DAMAGED]);
		free(pack.data);
	}
}

/* A size that goes on for ever, and one of more than 64 bits. */
static void endless_size(void)
{
	for (unsigned count = 9; count <= 30; count++) {
		struct test_findings found, other;
		struct test_bytes pack;

		begin_pack(&pack, 1);
		put_byte(&pack, 0xbf);
		for (unsigned i = 0; i < count; i++)
			put_byte(&pack, 0xff);
		end_pack(&pack);
		test_verify_pack(&plain, pack.data, pack.size, NULL, 0, &found, &other);
		CHECK(strcmp(found.texts[BLOCKSHA_GIT_MALFORMED],
			     "no further object can be found") == 0 ||
			      found.kinds[BLOCKSHA_GIT_MALFORMED] >= 1,
		      "%u bytes", count);
		CHECK_INT((long long)found.objects, 0, "%u bytes", count);
		free(pack.data);
	}
}

/* A delta that makes much of little: its result is declared, and bounded by an option. */
static void bomb(void)
{
	/* base 1000 bytes; result 60,000 of it, by 60 copies of the whole. */
	unsigned char base[1000] = {0}, delta[8 + 60 * 4] = {0xe8, 7, 0xe0, 0xd4, 3};
	struct blocksha_git_options options = plain;
	struct test_findings found, other;
	struct test_bytes pack;
	size_t size = 5, here;

	for (unsigned i = 0; i < 60; i++) {
		delta[size++] = 0xb0; /* a copy from 0, and two bytes of size */
		delta[size++] = 0xe8;
		delta[size++] = 3;
	}
	begin_pack(&pack, 2);
	put_header(&pack, 3, sizeof(base));
	put_stored(&pack, base, sizeof(base));
	here = pack.size;
	put_header(&pack, 6, size);
	put_distance(&pack, here - 12);
	put_stored(&pack, delta, size);
	end_pack(&pack);

	test_verify_pack(&options, pack.data, pack.size, NULL, 0, &found, &other);
	CHECK_INT(test_faults(&found), 0, "without a limit: %s",
		  found.texts[BLOCKSHA_GIT_MALFORMED]);
	options.memory = 8000; /* two jobs: 2000 bytes for an object; the result passes in pieces */
	test_verify_pack(&options, pack.data, pack.size, NULL, 0, &found, &other);
	CHECK_INT(test_faults(&found), 0, "with little memory: %s",
		  found.texts[BLOCKSHA_GIT_LIMIT]);
	CHECK_INT((long long)found.objects, 2, "with little memory");
	options.max_object_size = 59999;
	test_verify_pack(&options, pack.data, pack.size, NULL, 0, &found, &other);
	CHECK_INT(found.kinds[BLOCKSHA_GIT_LIMIT], 1, "with a limit");
	CHECK_INT((long long)found.objects, 1, "with a limit");
	options.max_object_size = 60000;
	test_verify_pack(&options, pack.data, pack.size, NULL, 0, &found, &other);
	CHECK_INT(test_faults(&found), 0, "at the limit");
	free(pack.data);
}

/* Deltas on an object that cannot be kept are not verified, which is neither damage nor success;
   they do not count as missing either. The object itself has its name. */
static void beyond_memory(void)
{
	unsigned char base[1000] = {0};
	static const unsigned char delta[] = {0xe8, 7, 2, 2, 'a', 'b'}, on_delta[] = {2, 1, 1, 'c'};

	for (unsigned type = 6; type <= 7; type++) {
		struct blocksha_git_options options = {.jobs = 2, .memory = 400};
		struct test_findings found, other;
		struct test_bytes pack;
		size_t first, second;

		begin_pack(&pack, 3);
		first = pack.size;
		put_header(&pack, 3, sizeof(base));
		put_stored(&pack, base, sizeof(base));
		second = pack.size;
		put_header(&pack, type, sizeof(delta));
		if (type == 6) {
			put_distance(&pack, second - first);
		} else {
			unsigned char object[1010] = "blob 1000", name[BLOCKSHA_SHA1_DIGEST_SIZE];

			blocksha_sha1(object, sizeof(object), name);
			put(&pack, name, sizeof(name));
		}
		put_stored(&pack, delta, sizeof(delta));
		first = second;
		second = pack.size;
		put_header(&pack, 6, sizeof(on_delta));
		put_distance(&pack, second - first);
		put_stored(&pack, on_delta, sizeof(on_delta));
		end_pack(&pack);
		test_verify_pack(&options, pack.data, pack.size, NULL, 0, &found, &other);
		CHECK_INT((long long)found.objects, 1, "type %u: objects", type);
		CHECK_INT(found.kinds[BLOCKSHA_GIT_LIMIT], 2, "type %u: %s", type, found.all);
		CHECK_INT(test_faults(&found), 2, "type %u: %s", type, found.all);
		options.memory = 5000;
		test_verify_pack(&options, pack.data, pack.size, NULL, 0, &found, &other);
		CHECK_INT(test_faults(&found), 0, "type %u, with memory: %s", type, found.all);
		CHECK_INT((long long)found.objects, 3, "type %u, with memory", type);
		free(pack.data);
	}
}

/* --- Indexes ---------------------------------------------------------------------- */

/* An index of the empty blob's pack, which rows change. */
static struct test_bytes small_idx(const struct test_bytes *pack, unsigned version)
{
	struct test_bytes idx = {0};
	unsigned char name[BLOCKSHA_SHA1_DIGEST_SIZE];

	test_from_hex(name, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", sizeof(name));
	if (version == 2) {
		put(&idx, "\377tOc", 4);
		put_be32(&idx, 2);
	}
	for (unsigned i = 0; i < 256; i++)
		put_be32(&idx, i >= 0xe6);
	if (version == 2) {
		put(&idx, name, sizeof(name));
		put_be32(&idx, (uint32_t)crc32(0, pack->data + 12, (unsigned)pack->size - 32));
		put_be32(&idx, 12);
	} else {
		put_be32(&idx, 12);
		put(&idx, name, sizeof(name));
	}
	put(&idx, pack->data + pack->size - 20, 20);
	end_pack(&idx);
	return idx;
}

static void seal(struct test_bytes *idx)
{
	blocksha_sha1(idx->data, idx->size - 20, idx->data + idx->size - 20);
}

struct idx_case {
	const char *what;
	size_t at;   /* of the bit that is flipped; in an index of version 2 */
	bool sealed; /* and then its own checksum is made right */
	const char *text;
};

static const struct idx_case idx_cases[] = {
	{"name", 1032 + 5, false, "wrong checksum of the index"},
	{"name", 1032 + 5, true, "object has another name than the index says"},
	{"CRC", 1052, false, "wrong checksum of the index"},
	{"CRC", 1052, true, "wrong CRC of an entry of the pack"},
	{"offset", 1059, true, "no object of the pack begins at 13"},
	{"checksum of the pack", 1060, false, "wrong checksum of the index"},
	{"checksum of the pack", 1060, true, "is the index of another pack"},
	{"own checksum", 1080, false, "wrong checksum of the index"},
	{"fan-out", 8 + 4 * 0xe5 + 3, true, "name is not where the fan-out table has it"},
	{"large offset", 1056, true, "no such entry in the table of large offsets"},
	{"number of objects", 8 + 4 * 255, true, "wrong size for the number of objects in it"},
	{"version", 7, true, "unknown version of a pack index"},
};

static void indexes(void)
{
	struct test_bytes pack = bytes_of(pack_cases[5].hex), idx;
	struct test_findings in_pack, in_idx;

	for (unsigned version = 1; version <= 2; version++) {
		idx = small_idx(&pack, version);
		test_verify_pack(&plain, pack.data, pack.size, idx.data, idx.size, &in_pack,
				 &in_idx);
		CHECK_INT(test_faults(&in_pack) + test_faults(&in_idx), 0, "version %u: %s",
			  version, in_idx.texts[BLOCKSHA_GIT_DAMAGED]);
		free(idx.data);
	}
	for (size_t i = 0; i < TEST_COUNT(idx_cases); i++) {
		const struct idx_case *row = &idx_cases[i];

		idx = small_idx(&pack, 2);
		idx.data[row->at] ^= row->at == 1056 ? 0x80 : 1;
		if (row->sealed)
			seal(&idx);
		test_verify_pack(&plain, pack.data, pack.size, idx.data, idx.size, &in_pack,
				 &in_idx);
		CHECK(test_has_text(&in_idx, row->text), "%s, sealed: %d: %s, %s", row->what,
		      row->sealed, in_idx.texts[BLOCKSHA_GIT_DAMAGED],
		      in_idx.texts[BLOCKSHA_GIT_MALFORMED]);
		CHECK_INT(test_faults(&in_pack), 0, "%s, sealed: %d: the pack", row->what,
			  row->sealed);
		free(idx.data);
	}
	/* 2^32 - 2^24 objects, by a count that in 32 bits would wrap around to a small size. */
	idx = small_idx(&pack, 2);
	idx.data[8 + 4 * 255] = 0xff;
	seal(&idx);
	test_verify_pack(&plain, pack.data, pack.size, idx.data, idx.size, &in_pack, &in_idx);
	CHECK(test_has_text(&in_idx, "wrong size for the number of objects in it"), "many objects");
	free(idx.data);
	free(pack.data);
}

/* An object at 2^31 is out of reach of a pack of 41 bytes: both forms of its offset are read. */
static void large_offsets(void)
{
	struct test_bytes pack = bytes_of(pack_cases[4].hex), idx = {0};
	static const uint64_t offsets[] = {12, UINT64_C(1) << 31, UINT64_C(1) << 40};
	struct blocksha_git_options options = {.max_findings = 10};
	struct git_report report;
	struct git_file file;
	struct git_idx read;

	put(&idx, "\377tOc", 4);
	put_be32(&idx, 2);
	for (unsigned i = 0; i < 256; i++)
		put_be32(&idx, i < 2 ? i : i < 3 ? 2 : 3);
	for (unsigned i = 0; i < 3; i++)
		for (unsigned byte = 0; byte < 20; byte++)
			put_byte(&idx, i + 1);
	for (unsigned i = 0; i < 3; i++)
		put_be32(&idx, 0);
	put_be32(&idx, 12);
	put_be32(&idx, UINT32_C(0x80000000));
	put_be32(&idx, UINT32_C(0x80000001));
	for (unsigned i = 1; i < 3; i++) {
		put_be32(&idx, (uint32_t)(offsets[i] >> 32));
		put_be32(&idx, (uint32_t)offsets[i]);
	}
	put(&idx, pack.data + pack.size - 20, 20);
	end_pack(&idx);
	blocksha_git_report_begin(&report, &options, "a.idx");
	blocksha_git_file_in_memory(&file, "a.idx", idx.data, idx.size);
	CHECK(blocksha_git_idx_load(&read, &file, &report), "two offsets of 64 bits in three");
	CHECK_INT(read.count, 3, "objects");
	for (uint32_t i = 0; i < 3; i++)
		CHECK_INT((long long)blocksha_git_idx_offset(&read, i), (long long)offsets[i],
			  "offset %u", i);
	blocksha_git_idx_free(&read);
	blocksha_git_report_drop(&report);
	free(idx.data);
	free(pack.data);
}

/* --- Loose objects ---------------------------------------------------------------- */

struct loose_case {
	const char *what, *path, *hex;
	enum blocksha_git_kind kind;
	const char *text;
};

#define HI "32/f95c0d1244a78b2be1bab8de17906fabb2c4a8"

static const struct loose_case loose_cases[] = {
	{"\"hi\"", HI, "789c4bcac94f523062c8c804000ed102c3", BLOCKSHA_GIT_NOTE, ""},
	{"garbage behind it", HI, "789c4bcac94f523062c8c804000ed102c34a554e4b",
	 BLOCKSHA_GIT_DAMAGED, "garbage at the end of the object"},
	{"under another name", "11/11111111111111111111111111111111111111",
	 "789c4bcac94f523062c8c804000ed102c3", BLOCKSHA_GIT_DAMAGED,
	 "object has another name than its file"},
	{"with a window of 4 KiB", HI, "48c74bcac94f523062c8c804000ed102c3", BLOCKSHA_GIT_NOTE, ""},
	{"cut by 5 bytes", HI, "789c4bcac94f523062c8c804", BLOCKSHA_GIT_DAMAGED,
	 "compressed data ends early"},
	{"nothing", HI, "", BLOCKSHA_GIT_DAMAGED, "compressed data is damaged"},
};

static void loose_objects(void)
{
	for (size_t i = 0; i < TEST_COUNT(loose_cases); i++) {
		const struct loose_case *row = &loose_cases[i];
		struct test_bytes loose = bytes_of(row->hex);
		struct test_findings found;

		test_verify_loose(&plain, row->path, loose.data, loose.size, &found);
		if (row->kind == BLOCKSHA_GIT_NOTE)
			CHECK_INT(test_faults(&found), 0, "%s", row->what);
		CHECK(row->text[0] == '\0' || test_has_text(&found, row->text), "%s: %s", row->what,
		      found.all);
		free(loose.data);
	}
}

struct header_case {
	const char *object;
	size_t size;
	const char *text;
};

static const struct header_case header_cases[] = {
	{"blob 3\0hi", 9, "inflates to less than its declared size"},
	{"blob 1\0hi", 9, "inflates to more than its declared size"},
	{"blob 02\0hi", 10, "size in the header begins with zero"},
	{"blob \0hi", 8, "header has no size"},
	{"blob -2\0hi", 10, "header has no size"},
	{"blob 2 \0hi", 10, "header does not end behind the size"},
	{"blob 2hi", 8, "header does not end behind the size"},
	{"blob2\0hi", 8, "header has no known type"},
	{"blub 2\0hi", 9, "header has no known type"},
	{"blob 18446744073709551616\0hi", 28, "size in the header is too large"},
	{"blob 99999999999999999999\0hi", 28, "size in the header is too large"},
	{"blob 18446744073709551615\0hi", 28, "size in the header is too large"},
};

static void headers(void)
{
	for (size_t i = 0; i < TEST_COUNT(header_cases); i++) {
		const struct header_case *row = &header_cases[i];
		struct test_bytes loose = {0};
		struct test_findings found;

		put_stored(&loose, (const unsigned char *)row->object, row->size);
		test_verify_loose(&plain, HI, loose.data, loose.size, &found);
		CHECK(test_has_text(&found, row->text), "%s: %s", row->object, found.all);
		free(loose.data);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(packs);
	TEST_RUN(long_chain);
	TEST_RUN(large_sizes);
	TEST_RUN(endless_size);
	TEST_RUN(bomb);
	TEST_RUN(beyond_memory);
	TEST_RUN(indexes);
	TEST_RUN(large_offsets);
	TEST_RUN(loose_objects);
	TEST_RUN(headers);
	return test_end();
}
