/* SPDX-License-Identifier: MIT */
/*
 * test_git_damage.c - packs, indexes and loose objects as git wrote them are good; with any byte
 * changed, or cut anywhere, they are not, and the file that is damaged is the one that is blamed.
 *
 * With BLOCKSHA_TEST_PACK=PATH that pack and its index are damaged instead, at so many random
 * places as BLOCKSHA_TEST_PLACES says.
 */
#include "test.h"

#include <zlib.h>

#include "git_files.h"

static const struct blocksha_git_options one_job = {.jobs = 1, .max_findings = 10};

static void print_faults(const struct test_findings *findings)
{
	for (int kind = 0; kind < BLOCKSHA_GIT_KINDS; kind++)
		if (findings->kinds[kind] != 0)
			printf("  %u %s, the last at %" PRIu64 ": %s\n", findings->kinds[kind],
			       blocksha_git_kind_name((enum blocksha_git_kind)kind),
			       findings->offsets[kind], findings->texts[kind]);
}

/* Damage: something is damaged or malformed, and nothing is called by another name. A changed size
   may ask for more memory than there is, a changed name for a base that is missing. */
static bool is_damage(const struct test_findings *findings)
{
	return findings->kinds[BLOCKSHA_GIT_DAMAGED] + findings->kinds[BLOCKSHA_GIT_MALFORMED] !=
		       0 &&
	       findings->kinds[BLOCKSHA_GIT_CHANGED] == 0 &&
	       findings->kinds[BLOCKSHA_GIT_UNREADABLE] == 0 &&
	       findings->kinds[BLOCKSHA_GIT_ATTACK] == 0;
}

static void check_damage(const char *name, const char *what, size_t at,
			 const struct test_findings *damaged, const struct test_findings *other)
{
	CHECK(is_damage(damaged), "%s, %s at %zu", name, what, at);
	CHECK(test_faults(other) == 0, "%s, %s at %zu: the other file is good", name, what, at);
	if (!is_damage(damaged) || test_faults(other) != 0) {
		print_faults(damaged);
		printf(" the other file:\n");
		print_faults(other);
	}
}

/* The number of objects that the pack says it has. */
static uint64_t declared(const struct test_bytes *pack)
{
	return (uint64_t)pack->data[10] << 8 | pack->data[11];
}

static void check_good(const struct expected_git_pack *row, const struct test_bytes *pack,
		       const struct test_bytes *idx)
{
	struct blocksha_git_options options = one_job;
	struct test_findings in_pack, in_idx;

	for (unsigned jobs = 1; jobs <= 4; jobs++) {
		options.jobs = jobs;
		for (int with_idx = 0; with_idx < 2; with_idx++) {
			test_verify_pack(&options, pack->data, pack->size,
					 with_idx ? idx->data : NULL, idx->size, &in_pack, &in_idx);
			CHECK_INT(test_faults(&in_pack) + test_faults(&in_idx), 0,
				  "%s, index: %d, jobs: %u", row->name, with_idx, jobs);
			CHECK_INT((long long)in_pack.objects, (long long)declared(pack),
				  "%s, objects", row->name);
		}
	}
	options.tier = BLOCKSHA_GIT_QUICK;
	test_verify_pack(&options, pack->data, pack->size, idx->data, idx->size, &in_pack, &in_idx);
	CHECK_INT(test_faults(&in_pack) + test_faults(&in_idx), 0, "%s, quick", row->name);
}

/* Changes the byte at a place, and cuts the file there; pack is the one that is damaged, or idx. */
static void damage_at(const struct expected_git_pack *row, const struct test_bytes *pack,
		      const struct test_bytes *idx, bool in_the_pack, size_t at,
		      unsigned char difference)
{
	const struct test_bytes *damaged = in_the_pack ? pack : idx;
	const char *what = in_the_pack ? "pack changed" : "index changed";
	struct blocksha_git_options options = one_job;
	struct test_findings in_pack, in_idx;

	damaged->data[at] ^= difference;
	for (int tier = BLOCKSHA_GIT_DEFAULT; tier <= BLOCKSHA_GIT_QUICK; tier++) {
		options.tier = (enum blocksha_git_tier)tier;
		test_verify_pack(&options, pack->data, pack->size, idx->data, idx->size, &in_pack,
				 &in_idx);
		check_damage(row->name, what, at, in_the_pack ? &in_pack : &in_idx,
			     in_the_pack ? &in_idx : &in_pack);
	}
	if (in_the_pack) {
		test_verify_pack(&one_job, pack->data, pack->size, NULL, 0, &in_pack, &in_idx);
		check_damage(row->name, "pack alone changed", at, &in_pack, &in_idx);
	}
	damaged->data[at] ^= difference;

	test_verify_pack(&one_job, pack->data, in_the_pack ? at : pack->size, idx->data,
			 in_the_pack ? idx->size : at, &in_pack, &in_idx);
	check_damage(row->name, in_the_pack ? "pack cut" : "index cut", at,
		     in_the_pack ? &in_pack : &in_idx, in_the_pack ? &in_idx : &in_pack);
}

static void damage_file(const struct expected_git_pack *row, const struct test_bytes *pack,
			const struct test_bytes *idx, bool in_the_pack)
{
	size_t size = in_the_pack ? pack->size : idx->size;
	size_t step = test_quick() ? 17 : 1;

	for (size_t at = 0; at < size; at += step) {
		unsigned char difference = (unsigned char)(1 + test_random_below(255));

		damage_at(row, pack, idx, in_the_pack, at, difference);
		damage_at(row, pack, idx, in_the_pack, at, (unsigned char)(1u << at % 8));
	}
}

static void packs(void)
{
	for (size_t i = 0; i < TEST_COUNT(expected_git_packs); i++) {
		const struct expected_git_pack *row = &expected_git_packs[i];
		struct test_bytes pack = test_bytes_of(row->pack, row->pack_size);
		struct test_bytes idx = test_bytes_of(row->idx, row->idx_size);

		check_good(row, &pack, &idx);
		damage_file(row, &pack, &idx, true);
		damage_file(row, &pack, &idx, false);
		free(pack.data);
		free(idx.data);
	}
}

static struct test_bytes read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct test_bytes bytes = {NULL, 0};
	long size;

	TEST_REQUIRE(file != NULL && fseek(file, 0, SEEK_END) == 0, path);
	size = ftell(file);
	TEST_REQUIRE(size > 0 && fseek(file, 0, SEEK_SET) == 0, path);
	bytes.size = (size_t)size;
	bytes.data = malloc(bytes.size);
	TEST_REQUIRE(bytes.data != NULL && fread(bytes.data, 1, bytes.size, file) == bytes.size,
		     path);
	fclose(file);
	return bytes;
}

/* The pack of a caller, of any size. */
static void large_pack(void)
{
	const char *path = getenv("BLOCKSHA_TEST_PACK"), *places = getenv("BLOCKSHA_TEST_PLACES");
	struct expected_git_pack row = {.name = path};
	struct test_bytes pack = read_file(path), idx;
	char idx_path[4096];

	snprintf(idx_path, sizeof(idx_path), "%.*s.idx", (int)strlen(path) - 5, path);
	idx = read_file(idx_path);
	for (unsigned long i = places != NULL ? strtoul(places, NULL, 10) : 100; i > 0; i--) {
		bool in_the_pack = i % 2 == 0;

		damage_at(&row, &pack, &idx, in_the_pack,
			  test_random_below(in_the_pack ? pack.size : idx.size),
			  (unsigned char)(1 + test_random_below(255)));
	}
	free(pack.data);
	free(idx.data);
}

/* A loose object has no checksum of its own, and some bits of a zlib stream say nothing: how hard
   it was tried to compress, what fills up the last byte before the Adler-32, codes that are not
   used, which of two places with the same bytes is meant. zlib tells. */
struct inflated {
	unsigned char data[8192];
	size_t size, used;
	bool good;
};

static void inflate_loose(struct inflated *inflated, const struct test_bytes *loose)
{
	z_stream stream = {0};

	memset(inflated, 0, sizeof(*inflated));
	stream.next_in = loose->data;
	stream.avail_in = (unsigned)loose->size;
	stream.next_out = inflated->data;
	stream.avail_out = sizeof(inflated->data);
	TEST_REQUIRE(inflateInit(&stream) == Z_OK, "inflateInit");
	inflated->good = inflate(&stream, Z_FINISH) == Z_STREAM_END;
	inflated->size = stream.total_out;
	inflated->used = stream.total_in;
	inflateEnd(&stream);
}

static bool changes_nothing(const struct inflated *before, const struct test_bytes *loose)
{
	static struct inflated now;

	inflate_loose(&now, loose);
	return now.good && now.size == before->size && now.used == before->used &&
	       memcmp(now.data, before->data, now.size) == 0;
}

static void damage_loose(const struct expected_git_loose *row, struct test_bytes *loose)
{
	struct test_findings findings, none = {0};
	static struct inflated before;
	unsigned unchanged = 0;

	inflate_loose(&before, loose);
	TEST_REQUIRE(before.good, "inflate");
	for (size_t at = 0; at < loose->size; at++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			loose->data[at] ^= (unsigned char)(1u << bit);
			test_verify_loose(&one_job, row->path, loose->data, loose->size, &findings);
			if (!changes_nothing(&before, loose))
				check_damage(row->path, "changed", at, &findings, &none);
			else
				unchanged++;
			loose->data[at] ^= (unsigned char)(1u << bit);
		}
		test_verify_loose(&one_job, row->path, loose->data, at, &findings);
		check_damage(row->path, "cut", at, &findings, &none);
	}
	test_verify_loose(&one_job, row->path, loose->data, loose->size + 1, &findings);
	check_damage(row->path, "longer", loose->size, &findings, &none);
	CHECK(unchanged < loose->size / 2, "%u bits of %s change nothing", unchanged, row->path);
}

static void loose_objects(void)
{
	for (size_t i = 0; i < TEST_COUNT(expected_git_loose); i++) {
		const struct expected_git_loose *row = &expected_git_loose[i];
		struct test_bytes loose = test_bytes_of(row->data, row->size);
		struct test_findings findings;

		loose.data[loose.size] = 0; /* for one that is longer */
		test_verify_loose(&one_job, row->path, loose.data, loose.size, &findings);
		CHECK_INT(test_faults(&findings), 0, "%s", row->path);
		damage_loose(row, &loose);
		free(loose.data);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	if (getenv("BLOCKSHA_TEST_PACK") != NULL) {
		TEST_RUN(large_pack);
	} else {
		TEST_RUN(packs);
		TEST_RUN(loose_objects);
	}
	return test_end();
}
