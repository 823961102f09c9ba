/* SPDX-License-Identifier: MIT */
/*
 * test_git_attack.c - an object that carries a collision attack on SHA-1 is told as that, and as
 * nothing else: loose, in a pack, as the result of a delta, in a stream; by the library and by the
 * program.
 *
 * No object of git with an attack is known: its header shifts the blocks of the published ones. So
 * sha1dc_differences.h makes attacks of all blocks that pass the filter for any DV; in random bytes
 * that is one in several. Everything but that table is as ever.
 */
#include "test.h"

#include "sha1dc_differences.h"

#include <sys/stat.h>
#include <zlib.h>

#include "../cli/git_hash_object.h"
#include "../cli/git_verify.h"
#include "git_files.h"

enum { BODY = 5000 };

static unsigned char body[2][BODY];

/* The attacks in an object, counted block by block. */
static struct blocksha_attack expected_attack(const unsigned char *data, size_t size)
{
	static unsigned char message[2 * BODY];
	size_t length = (size_t)sprintf((char *)message, "blob %zu", size) + 1, end;
	struct blocksha_attack attack = {0};
	uint32_t w[80];

	memcpy(message + length, data, size);
	length += size;
	end = (length + 8) / 64 * 64 + 64;
	memset(message + length, 0, end - length);
	message[length] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		message[end - 1 - i] = (unsigned char)((uint64_t)length * 8 >> 8 * i);
	for (size_t at = 0; at < end; at += 64) {
		textbook_schedule_block(w, message + at);
		if (textbook_filter(w) == 0)
			continue;
		if (attack.blocks++ == 0)
			attack.offset = at;
	}
	return attack;
}

static void deflate_to(struct test_bytes *out, const void *data, size_t size)
{
	uLongf length = compressBound((uLong)size);

	out->data = realloc(out->data, out->size + length);
	TEST_REQUIRE(out->data != NULL, "realloc");
	TEST_REQUIRE(compress(out->data + out->size, &length, data, (uLong)size) == Z_OK,
		     "compress");
	out->size += length;
}

/* --- What is reported ------------------------------------------------------------- */

struct reported {
	unsigned attacks, others;
	struct blocksha_attack attack[4];
	unsigned char name[4][BLOCKSHA_SHA1_DIGEST_SIZE];
};

static void take(void *context, const struct blocksha_git_finding *finding)
{
	struct reported *reported = context;

	if (finding->kind == BLOCKSHA_GIT_ATTACK && reported->attacks < 4) {
		memcpy(reported->name[reported->attacks], finding->name, BLOCKSHA_SHA1_DIGEST_SIZE);
		reported->attack[reported->attacks++] = finding->attack;
	} else if (finding->kind != BLOCKSHA_GIT_NOTE) {
		printf("%s: %s\n", blocksha_git_kind_name(finding->kind), finding->text);
		reported->others++;
	}
}

static void check_reported(const struct reported *reported, unsigned i, const unsigned char *data,
			   const char *what)
{
	struct blocksha_attack expected = expected_attack(data, BODY);

	CHECK(expected.blocks > 0, "%s: there are attacks", what);
	CHECK_INT((long long)reported->attack[i].blocks, (long long)expected.blocks, "%s: blocks",
		  what);
	CHECK_INT((long long)reported->attack[i].offset, (long long)expected.offset, "%s: offset",
		  what);
}

/* --- Files ------------------------------------------------------------------------ */

static void write_file(const char *path, const struct test_bytes *bytes)
{
	FILE *file = fopen(path, "wb");

	TEST_REQUIRE(file != NULL, path);
	TEST_REQUIRE(fwrite(bytes->data, 1, bytes->size, file) == bytes->size, path);
	TEST_REQUIRE(fclose(file) == 0, path);
}

/* A loose object in its folder; path becomes its name. */
static void write_loose(char path[64], const unsigned char *data)
{
	unsigned char object[BODY + 32], name[BLOCKSHA_SHA1_DIGEST_SIZE];
	size_t header = (size_t)sprintf((char *)object, "blob %d", BODY) + 1;
	struct test_bytes loose = {0};
	char hex[2 * sizeof(name) + 1];

	memcpy(object + header, data, BODY);
	blocksha_sha1(object, header + BODY, name);
	blocksha_hex_encode(hex, name, sizeof(name));
	sprintf(path, "%.2s", hex);
	mkdir(path, 0777);
	sprintf(path, "%.2s/%s", hex, hex + 2);
	deflate_to(&loose, object, header + BODY);
	write_file(path, &loose);
	free(loose.data);
}

static int run_program(int (*run)(int argc, char **argv), const char *argument)
{
	char name[] = "blocksha", path[64];
	char *argv[] = {name, path, NULL};

	optind = 1;
	snprintf(path, sizeof(path), "%s", argument);
	return run(2, argv);
}

static void loose_object(void)
{
	/* Without a limit, and in a stream. */
	static const uint64_t memory[] = {0, 1000};
	struct reported reported;
	struct blocksha_git_options options = {.context = &reported, .report = take};
	char path[64];

	write_loose(path, body[0]);
	for (size_t i = 0; i < TEST_COUNT(memory); i++) {
		memset(&reported, 0, sizeof(reported));
		options.memory = memory[i];
		CHECK_INT(blocksha_git_verify(path, &options), BLOCKSHA_ATTACK, "loose");
		CHECK_INT(reported.attacks, 1, "loose");
		CHECK_INT(reported.others, 0, "loose");
		check_reported(&reported, 0, body[0], "loose");
	}
	CHECK_INT(run_program(git_verify_main, path), 3, "blocksha git verify");
	differences_published();
	CHECK_INT(run_program(git_verify_main, path), 0, "the same without the attack");
	differences_zero();
	remove(path);
	path[2] = '\0';
	remove(path);
}

static void hashed_object(void)
{
	struct test_bytes data = {body[0], BODY};

	write_file("body", &data);
	CHECK_INT(run_program(git_hash_object_main, "body"), 3, "blocksha git hash-object");
	differences_published();
	CHECK_INT(run_program(git_hash_object_main, "body"), 0, "the same without the attack");
	differences_zero();
	remove("body");
}

/* A pack of a blob and of a delta that replaces it by another. */
static void packed_objects(void)
{
	static const uint64_t memory[] = {0, 40000, 24000};
	unsigned char delta[BODY + 200], digest[BLOCKSHA_SHA1_DIGEST_SIZE];
	struct test_bytes pack = {malloc(64), 0};
	struct reported reported;
	struct blocksha_git_options options = {.context = &reported, .report = take, .jobs = 1};
	size_t size = 0, first;

	TEST_REQUIRE(pack.data != NULL, "malloc");
	memcpy(pack.data, "PACK\0\0\0\2\0\0\0\2", 12);
	memcpy(pack.data + 12, "\xb8\xb8\x02", 3); /* 5000 = 2 * 2048 + 56 * 16 + 8 */
	pack.size = 15;
	deflate_to(&pack, body[0], BODY);
	first = pack.size - 12;
	memcpy(delta, "\x88\x27\x88\x27", 4); /* both sizes */
	size = 4;
	for (size_t at = 0; at < BODY; at += 125) {
		delta[size++] = 125;
		memcpy(delta + size, body[1] + at, 125);
		size += 125;
	}
	pack.data = realloc(pack.data, pack.size + 64);
	TEST_REQUIRE(pack.data != NULL, "realloc");
	pack.data[pack.size++] = (unsigned char)(0xe0 | size % 16);
	pack.data[pack.size++] = (unsigned char)(0x80 | size / 16 % 128);
	pack.data[pack.size++] = (unsigned char)(size / 2048);
	pack.data[pack.size++] = (unsigned char)(0x80 | (first / 128 - 1));
	pack.data[pack.size++] = (unsigned char)(first % 128);
	deflate_to(&pack, delta, size);
	blocksha_sha1(pack.data, pack.size, digest);
	pack.data = realloc(pack.data, pack.size + 20);
	TEST_REQUIRE(pack.data != NULL, "realloc");
	memcpy(pack.data + pack.size, digest, 20);
	pack.size += 20;
	write_file("attack.pack", &pack);
	free(pack.data);

	for (size_t i = 0; i < TEST_COUNT(memory); i++) {
		memset(&reported, 0, sizeof(reported));
		options.memory = memory[i];
		CHECK_INT(blocksha_git_verify("attack.pack", &options), BLOCKSHA_ATTACK, "pack");
		CHECK_INT(reported.attacks, 2, "pack");
		CHECK_INT(reported.others, 0, "pack");
		check_reported(&reported, 0, body[0], "in a pack");
		check_reported(&reported, 1, body[1], "result of a delta");
	}
	CHECK_INT(run_program(git_verify_main, "attack.pack"), 3, "blocksha git verify");
	differences_published();
	CHECK_INT(run_program(git_verify_main, "attack.pack"), 0, "the same without the attack");
	differences_zero();
	remove("attack.pack");
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/blocksha-test-XXXXXX";

	test_begin(argc, argv);
	TEST_REQUIRE(mkdtemp(folder) != NULL && chdir(folder) == 0, folder);
	for (int i = 0; i < 2; i++)
		do
			test_random_bytes(body[i], BODY);
		while (expected_attack(body[i], BODY).blocks == 0);
	differences_zero();
	TEST_RUN(loose_object);
	TEST_RUN(hashed_object);
	TEST_RUN(packed_objects);
	TEST_REQUIRE(chdir("/") == 0 && rmdir(folder) == 0, folder);
	return test_end();
}
