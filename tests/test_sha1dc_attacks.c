/* SPDX-License-Identifier: MIT */
/*
 * test_sha1dc_attacks.c - published attacks are found, where they are and as what they are,
 * however they reach the library; and what is almost one of them is clean.
 *
 * The messages are those of make_sha1dc_expected.py: the shortest prefixes of the SHAttered
 * files that collide, and the SHA-mbles files. The whole files are looked for in
 * data/sha1-collisions of the directory BLOCKSHA_SHARED.
 */
#include "test.h"

#include "blocksha.h"
#include "sha1dc_blocks.h"
#include "sha1dc_contexts.h"

#ifdef BLOCKSHA_SOURCE_DIR
#define DEFAULT_SHARED BLOCKSHA_SOURCE_DIR "/../shared"
#else
#define DEFAULT_SHARED "../shared"
#endif

enum {
	SAFE = BLOCKSHA_SHA1DC_SAFE_HASH,
	REDUCED = BLOCKSHA_SHA1DC_REDUCED_ROUNDS,
	NO_FILTER = BLOCKSHA_SHA1DC_NO_FILTER,
	IGNORE = BLOCKSHA_SHA1DC_IGNORE,
	OPTIONS = 16
};

/* A message with room behind it. */
enum { ROOM = 4096 };

/* --- What must come out -------------------------------------------------------- */

static struct dc_expected expected_of(size_t i, unsigned options)
{
	const struct expected_verdict *v =
		&expected_messages[i].verdicts[options & (SAFE | REDUCED)];
	struct dc_expected e = {.blocks = v->blocks};

	if ((options & IGNORE) != 0) {
		v = &expected_messages[i].verdicts[0];
		e.blocks = 0;
	}
	test_from_hex(e.sha1, v->digest, sizeof(e.sha1));
	if (e.blocks != 0) {
		e.offset = v->attacks[0].offset;
		e.vector = v->attacks[0].vector;
	}
	return e;
}

static struct dc_expected clean(const unsigned char *data, size_t size)
{
	struct dc_expected e = {.blocks = 0};

	textbook_hash(&textbook_sha1, data, size, e.sha1);
	return e;
}

static void check_message(const struct dc_hash *hash, const struct dc_result *r, size_t i,
			  const char *how, size_t number)
{
	struct dc_expected e = expected_of(i, 0);

	dc_check(hash, r, &e, "%s %s %zu", expected_messages[i].name, how, number);
	dc_check_sha256(hash, r, expected_bytes(i), expected_messages[i].size);
}

static void check_clean(const struct dc_hash *hash, const unsigned char *data, size_t size,
			size_t i, const char *how, size_t number)
{
	struct dc_expected e = clean(data, size);
	struct dc_result r = dc_one_shot(hash, data, size);

	dc_check(hash, &r, &e, "%s %s %zu", expected_messages[i].name, how, number);
	dc_check_sha256(hash, &r, data, size);
}

/* --- Found ----------------------------------------------------------------------- */

/* In two pieces, wherever it is split; and in one, and byte by byte. */
static void test_splits(const struct dc_hash *hash, size_t i)
{
	const unsigned char *data = expected_bytes(i);
	size_t size = expected_messages[i].size;
	struct dc_result r = dc_one_shot(hash, data, size);
	union dc_ctx ctx;

	check_message(hash, &r, i, "in one piece", 1);
	for (size_t split = 0; split <= size; split++) {
		dc_init(hash, &ctx);
		hash->update(&ctx, data, split);
		hash->update(&ctx, data + split, size - split);
		r = dc_final(hash, &ctx);
		check_message(hash, &r, i, "split at", split);
	}
	dc_init(hash, &ctx);
	for (size_t done = 0; done < size; done++) {
		struct dc_expected e = clean(data, done);

		r = dc_peek(hash, &ctx);
		dc_check(hash, &r, &e, "%s up to %zu", expected_messages[i].name, done);
		hash->update(&ctx, data + done, 1);
	}
	r = dc_peek(hash, &ctx);
	check_message(hash, &r, i, "peek", size);
	r = dc_final(hash, &ctx);
	check_message(hash, &r, i, "byte by byte", size);
}

static void test_random_splits(const struct dc_hash *hash, size_t i)
{
	unsigned rounds = test_rounds(300);

	for (unsigned round = 0; round < rounds; round++) {
		size_t done = 0, size = expected_messages[i].size;
		struct dc_result r;
		union dc_ctx ctx;

		dc_init(hash, &ctx);
		while (done < size) {
			size_t piece = test_random_below(2) == 0 ? test_random_below(200)
								 : 64 * test_random_below(5);

			piece = piece < size - done ? piece : size - done;
			hash->update(&ctx, expected_bytes(i) + done, piece);
			done += piece;
		}
		r = dc_final(hash, &ctx);
		check_message(hash, &r, i, "in random pieces", round);
	}
}

/* At any address, also where memory ends. */
static void test_addresses(const struct dc_hash *hash, size_t i)
{
	size_t size = expected_messages[i].size;
	struct test_guarded place = test_guarded_new(size + 64);

	for (size_t offset = 0; offset < 64; offset++) {
		unsigned char *places[] = {place.begin + offset, place.end - size - offset};

		for (size_t p = 0; p < TEST_COUNT(places); p++) {
			struct dc_result r;

			memcpy(places[p], expected_bytes(i), size);
			r = dc_one_shot(hash, places[p], size);
			check_message(hash, &r, i, p == 0 ? "from the begin" : "to the end",
				      offset);
		}
	}
	test_guarded_free(&place);
}

/* Nobody needs to ask which attack it is. */
static void test_no_place(size_t i)
{
	struct dc_expected e = expected_of(i, 0);
	unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE], sha256[BLOCKSHA_SHA256_DIGEST_SIZE];

	CHECK_INT(blocksha_sha1dc(expected_bytes(i), expected_messages[i].size, digest, NULL),
		  BLOCKSHA_ATTACK, "%s", expected_messages[i].name);
	CHECK_BYTES(digest, e.sha1, sizeof(digest), "%s", expected_messages[i].name);
	CHECK_INT(blocksha_sha1dc_sha256(expected_bytes(i), expected_messages[i].size, digest,
					 sha256, NULL),
		  BLOCKSHA_ATTACK, "%s", expected_messages[i].name);
	CHECK_BYTES(digest, e.sha1, sizeof(digest), "%s", expected_messages[i].name);
}

/* Something stands behind it: both messages of a collision go on to collide. */
static void test_tails(const struct dc_hash *hash)
{
	static unsigned char data[2][MESSAGE_MAX + ROOM];

	for (size_t pair = 0; pair < MESSAGES; pair += 2)
		for (size_t tail = 0; tail <= ROOM; tail += 1 + test_random_below(tail + 2)) {
			size_t size = expected_messages[pair].size + tail;
			struct dc_result r[2];

			test_random_bytes(data[0] + size - tail, tail);
			memcpy(data[1] + size - tail, data[0] + size - tail, tail);
			for (size_t i = 0; i < 2; i++) {
				struct dc_expected e = expected_of(pair + i, 0);

				memcpy(data[i], expected_bytes(pair + i), size - tail);
				textbook_hash(&textbook_sha1, data[i], size, e.sha1);
				r[i] = dc_one_shot(hash, data[i], size);
				dc_check(hash, &r[i], &e, "%s and %zu bytes",
					 expected_messages[pair + i].name, tail);
				dc_check_sha256(hash, &r[i], data[i], size);
			}
			CHECK_BYTES(r[0].sha1, r[1].sha1, sizeof(r[0].sha1), "a collision");
		}
}

/* One attack behind another message is none: it needs its chaining value. */
static void test_two_messages(const struct dc_hash *hash)
{
	unsigned char data[2 * MESSAGE_MAX];

	for (size_t i = 0; i < MESSAGES; i++)
		for (size_t j = 0; j < MESSAGES; j++) {
			size_t first = expected_messages[i].size,
			       second = expected_messages[j].size;
			struct dc_expected e = expected_of(i, 0);
			struct dc_result r;

			memcpy(data, expected_bytes(i), first);
			memcpy(data + first, expected_bytes(j), second);
			textbook_hash(&textbook_sha1, data, first + second, e.sha1);
			r = dc_one_shot(hash, data, first + second);
			dc_check(hash, &r, &e, "%s and %s", expected_messages[i].name,
				 expected_messages[j].name);
		}
}

/* --- Clean ------------------------------------------------------------------------- */

/* All prefixes; behind some bytes, as git puts its header; without the first bytes; with one
   bit changed. */
static void test_almost(const struct dc_hash *hash, size_t i)
{
	const char *name = expected_messages[i].name;
	const unsigned char *bytes = expected_bytes(i);
	size_t size = expected_messages[i].size;
	unsigned char data[MESSAGE_MAX + 200];
	unsigned stride = test_quick() ? 37 : 1;
	int header;

	for (size_t length = 0; length < size; length++)
		check_clean(hash, bytes, length, i, "cut to", length);
	for (size_t shift = 1; shift <= 130; shift++) {
		memset(data, 0, shift);
		memcpy(data + shift, bytes, size);
		check_clean(hash, data, shift + size, i, "behind zeros,", shift);
		test_random_bytes(data, shift);
		check_clean(hash, data, shift + size, i, "behind random bytes,", shift);
		check_clean(hash, bytes + shift, size - shift, i, "from byte", shift);
	}
	header = snprintf((char *)data, sizeof(data), "blob %zu", size) + 1;
	memcpy(data + header, bytes, size);
	check_clean(hash, data, size + (size_t)header, i, "as a git object", 0);

	/* Before the attack a change gives another chaining value, inside another block. */
	for (size_t bit = 0; bit < 8 * size; bit += stride) {
		memcpy(data, bytes, size);
		data[bit / 8] ^= (unsigned char)(1 << bit % 8);
		check_clean(hash, data, size, i, "with changed bit", bit);
	}
	CHECK(size == 320 || size == 640, "%s is %zu bytes long", name, size);
}

/* --- Options and callback ------------------------------------------------------------ */

/* What the callback was told, and what it should be. */
struct calls {
	const struct expected_message *message;
	const struct expected_verdict *verdict;
	size_t index;
	unsigned count;
};

static void called(void *arg, uint64_t offset, const uint32_t in[5], const uint32_t other_in[5],
		   const uint32_t w[80], const uint32_t other_w[80])
{
	struct calls *c = arg;
	const struct expected_attack *e = &c->verdict->attacks[c->count];
	uint32_t words[80];

	CHECK(c->count < c->verdict->blocks, "%s, call %u", c->message->name, c->count);
	if (c->count++ >= c->verdict->blocks)
		return;
	CHECK(offset == e->offset, "%s: offset %" PRIu64, c->message->name, offset);
	CHECK_BYTES(in, e->in, sizeof(e->in), "%s", c->message->name);
	CHECK_BYTES(other_in, e->other_in, sizeof(e->other_in), "%s", c->message->name);
	textbook_schedule_block(words, expected_bytes(c->index) + e->offset);
	CHECK_BYTES(w, words, sizeof(words), "%s", c->message->name);
	textbook_other_words(e->vector, words, words);
	CHECK_BYTES(other_w, words, sizeof(words), "%s", c->message->name);
}

static void check_options(size_t i, unsigned options, size_t split, bool with_callback)
{
	const struct dc_hash *hash = &dc_hashes[0];
	const struct expected_message *m = &expected_messages[i];
	struct calls calls = {m, &m->verdicts[options & (SAFE | REDUCED)], i, 0};
	struct dc_expected e = expected_of(i, options);
	struct dc_result r;
	union dc_ctx ctx;

	dc_init(hash, &ctx);
	blocksha_sha1dc_set_options(&ctx.one, options);
	if (with_callback)
		blocksha_sha1dc_set_callback(&ctx.one, called, &calls);
	hash->update(&ctx, expected_bytes(i), split);
	hash->update(&ctx, expected_bytes(i) + split, m->size - split);
	r = dc_final(hash, &ctx);
	dc_check(hash, &r, &e, "%s, options %u, split at %zu", m->name, options, split);
	CHECK_INT(calls.count, with_callback ? (long long)e.blocks : 0,
		  "calls for %s, options %u, split at %zu", m->name, options, split);
}

static void test_options(size_t i)
{
	for (unsigned options = 0; options < OPTIONS; options++)
		for (size_t split = 0; split <= expected_messages[i].size;
		     split += test_quick() ? 160 : 20)
			for (int with_callback = 0; with_callback < 2; with_callback++)
				check_options(i, options, split, with_callback);
}

/* Colliding messages have one digest, and two safe ones, none of which is that one. */
static void test_safe_hashes(void)
{
	for (size_t i = 0; i < MESSAGES; i += 2) {
		const struct expected_verdict *v = expected_messages[i].verdicts;
		const struct expected_verdict *w = expected_messages[i + 1].verdicts;

		CHECK(strcmp(v[0].digest, w[0].digest) == 0, "%s", expected_messages[i].name);
		CHECK(strcmp(v[SAFE].digest, w[SAFE].digest) != 0, "%s", expected_messages[i].name);
		CHECK(strcmp(v[SAFE].digest, v[0].digest) != 0, "%s", expected_messages[i].name);
		CHECK(strcmp(w[SAFE].digest, v[0].digest) != 0, "%s", expected_messages[i].name);
	}
}

/* A callback or an option is not forgotten by a clone; each goes on on its own. */
static void test_clone(size_t i)
{
	const struct dc_hash *hash = &dc_hashes[0];
	const struct expected_message *m = &expected_messages[i];
	const unsigned char *data = expected_bytes(i);
	struct dc_expected e = expected_of(i, SAFE | REDUCED);

	for (size_t split = 0; split <= m->size; split += 8) {
		struct calls calls = {m, &m->verdicts[SAFE | REDUCED], i, 0};
		union dc_ctx ctx, clone;
		struct dc_result r;
		unsigned before;

		dc_init(hash, &ctx);
		blocksha_sha1dc_set_options(&ctx.one, SAFE | REDUCED);
		blocksha_sha1dc_set_callback(&ctx.one, called, &calls);
		hash->update(&ctx, data, split);
		before = calls.count;
		clone = ctx;
		hash->update(&ctx, data + split, m->size - split);
		r = dc_final(hash, &ctx);
		dc_check(hash, &r, &e, "%s, cloned at %zu", m->name, split);
		calls.count = before;
		hash->update(&clone, data + split, m->size - split);
		r = dc_final(hash, &clone);
		dc_check(hash, &r, &e, "%s, clone made at %zu", m->name, split);
		CHECK_INT(calls.count, (long long)e.blocks, "%s, clone made at %zu", m->name,
			  split);
	}
}

/* --- Saved states ---------------------------------------------------------------------- */

/* Saved and resumed anywhere, into memory that held something else. */
static void test_resumed(const struct dc_hash *hash, size_t i)
{
	const unsigned char *data = expected_bytes(i);
	size_t size = expected_messages[i].size;

	for (size_t split = 0; split <= size; split++) {
		unsigned char saved[DC_MAX_EXPORT], again[DC_MAX_EXPORT];
		union dc_ctx ctx;
		struct dc_result r;

		dc_init(hash, &ctx);
		hash->update(&ctx, data, split);
		CHECK_INT(hash->save(&ctx, saved), BLOCKSHA_OK, "%s at %zu", hash->name, split);
		memset(&ctx, 0xa5, sizeof(ctx));
		CHECK_INT(hash->resume(&ctx, saved, hash->export_size), BLOCKSHA_OK, "%s at %zu",
			  hash->name, split);
		CHECK_INT(hash->save(&ctx, again), BLOCKSHA_OK, "%s at %zu", hash->name, split);
		CHECK_BYTES(again, saved, hash->export_size, "%s at %zu", hash->name, split);
		hash->update(&ctx, data + split, size - split);
		r = dc_final(hash, &ctx);
		check_message(hash, &r, i, "resumed at", split);
	}
}

/* A message of any length, in which attacks follow one after the other with other blocks before
   and between them. Nobody knows such a message; but a saved state can be given the chaining
   value that an attack needs. */
static void test_far_away(const struct dc_hash *hash)
{
	static const uint64_t starts[] = {64, 64 * 1023, 64 * 1024, (uint64_t)1 << 32,
					  ((uint64_t)1 << 61) - (1 << 20)};
	static unsigned char between[64 * 2100];

	test_random_bytes(between, sizeof(between));
	for (size_t s = 0; s < TEST_COUNT(starts); s++) {
		unsigned char saved[DC_MAX_EXPORT];
		struct dc_expected e = {.offset = starts[s], .blocks = 0};
		uint64_t length = starts[s];
		struct dc_result r;
		union dc_ctx ctx;

		dc_init(hash, &ctx);
		CHECK_INT(hash->save(&ctx, saved), BLOCKSHA_OK, "%s", hash->name);
		for (unsigned number = 0; number < 2 * MESSAGES; number++) {
			size_t i = number % MESSAGES, blocks = test_random_below(2101);
			const struct expected_attack *a =
				&expected_messages[i].verdicts[0].attacks[0];

			dc_edit_saved(hash, saved, length, a->in);
			CHECK_INT(hash->resume(&ctx, saved, hash->export_size), BLOCKSHA_OK,
				  "%s from %" PRIu64, hash->name, length);
			hash->update(&ctx, expected_bytes(i) + a->offset, 64);
			if (e.blocks++ == 0)
				e.vector = a->vector;
			r = dc_peek(hash, &ctx);
			memcpy(e.sha1, r.sha1, sizeof(e.sha1)); /* of no message that is known */
			dc_check(hash, &r, &e, "attack %u from %" PRIu64, number, length);
			hash->update(&ctx, between, 64 * blocks);
			r = dc_peek(hash, &ctx);
			memcpy(e.sha1, r.sha1, sizeof(e.sha1));
			dc_check(hash, &r, &e, "attack %u, %zu blocks behind it", number, blocks);
			CHECK_INT(hash->save(&ctx, saved), BLOCKSHA_OK, "%s", hash->name);
			length += 64 * (1 + blocks);
		}
	}
}

/* --- The whole files ------------------------------------------------------------------- */

static const char *shared_dir(void)
{
	const char *dir = getenv("BLOCKSHA_SHARED");

	return dir != NULL ? dir : DEFAULT_SHARED;
}

static unsigned char *read_shared(const char *name, size_t *size)
{
	enum { MAX_FILE = 1 << 20 };
	unsigned char *data;
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/data/sha1-collisions/%s", shared_dir(), name);
	file = fopen(path, "rb");
	if (file == NULL) {
		test_unavailable("%s", path);
		return NULL;
	}
	data = malloc(MAX_FILE);
	TEST_REQUIRE(data != NULL, "malloc");
	*size = fread(data, 1, MAX_FILE - 1, file);
	data[*size] = '\0';
	fclose(file);
	return data;
}

/* A line of EXPECTED.sha1dc: the safe hash, "*coll*" or nothing, and the file. */
static void check_file(const char *name, const char *safe, bool attack, unsigned options)
{
	const struct dc_hash *hash = &dc_hashes[0];
	size_t size, done = 0;
	unsigned char *data = read_shared(name, &size);
	unsigned char expected[BLOCKSHA_SHA1_DIGEST_SIZE];
	struct dc_expected plain;
	struct dc_result r;
	union dc_ctx ctx;

	if (data == NULL)
		return;
	plain = clean(data, size);
	test_from_hex(expected, safe, sizeof(expected));
	dc_init(hash, &ctx);
	blocksha_sha1dc_set_options(&ctx.one, options | SAFE);
	while (done < size) {
		size_t piece = test_random_below(100000);

		piece = piece < size - done ? piece : size - done;
		hash->update(&ctx, data + done, piece);
		done += piece;
	}
	r = dc_final(hash, &ctx);
	CHECK_BYTES(r.sha1, expected, sizeof(expected), "safe hash of %s, options %u", name,
		    options);
	CHECK_INT(r.result, attack ? BLOCKSHA_ATTACK : BLOCKSHA_OK, "%s, options %u", name,
		  options);

	dc_init(hash, &ctx);
	blocksha_sha1dc_set_options(&ctx.one, options);
	hash->update(&ctx, data, size);
	r = dc_final(hash, &ctx);
	CHECK_BYTES(r.sha1, plain.sha1, sizeof(plain.sha1), "%s, options %u", name, options);
	CHECK_INT(r.result, attack ? BLOCKSHA_ATTACK : BLOCKSHA_OK, "%s, options %u", name,
		  options);

	for (size_t i = 0; i < MESSAGES; i++)
		if (strcmp(expected_messages[i].name, name) == 0) {
			struct dc_expected e = expected_of(i, options);

			memcpy(e.sha1, plain.sha1, sizeof(e.sha1));
			dc_check(hash, &r, &e, "%s, options %u", name, options);
			CHECK_BYTES(data, expected_bytes(i), expected_messages[i].size,
				    "the constant and the file");
		}
	free(data);
}

static void test_files(void)
{
	unsigned files = 0, options = 0;
	size_t size;
	unsigned char *text = read_shared("EXPECTED.sha1dc", &size);
	char *line = (char *)text;

	while (line != NULL && *line != '\0') {
		char *end = line + strcspn(line, "\n");
		char digest[41], first[100], second[100];
		int fields;

		if (*end != '\0')
			*end++ = '\0';
		fields = sscanf(line, "%40s %99s %99s", digest, first, second);
		if (strstr(line, "sha1dcsum_partialcoll") != NULL) {
			options = REDUCED;
		} else if (line[0] != '#' && fields >= 2) {
			check_file(fields == 3 ? second : first, digest, fields == 3, options);
			files++;
		}
		line = end;
	}
	if (text != NULL)
		CHECK_INT(files, 10, "lines of EXPECTED.sha1dc");
	free(text);
}

/* --- All of it ---------------------------------------------------------------------------- */

static void test_hash(const struct dc_hash *hash)
{
	for (size_t i = 0; i < MESSAGES; i++) {
		test_splits(hash, i);
		test_random_splits(hash, i);
		test_addresses(hash, i);
		test_no_place(i);
		test_almost(hash, i);
		test_resumed(hash, i);
		if (hash->has_sha256)
			continue;
		test_options(i);
		test_clone(i);
	}
	test_tails(hash);
	test_two_messages(hash);
	test_far_away(hash);
	if (!hash->has_sha256)
		test_files();
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_safe_hashes();
	dc_for_each_kernel(test_hash);
	return test_end();
}
