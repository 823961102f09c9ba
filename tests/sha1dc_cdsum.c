/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_cdsum.c - what sha1dc_cdsum.sh runs: prints the lines of sha1cdsum, another
 * implementation, for files whose names come from standard input, each ended by a NUL.
 *
 *     sha1dc_cdsum kernels       the usable kernels of one message
 *     sha1dc_cdsum write DIR     writes the published messages of the tests to files
 *     sha1dc_cdsum safe KERNEL   safe hashes, in pieces of any sizes
 *     sha1dc_cdsum many KERNEL   plain SHA-1, all files in one call for many messages
 */
#include "test.h"

#include "blocksha.h"
#include "sha1dc_blocks.h"

enum { MAX_NAMES = 4096, MAX_PIECE = 200000 };

static char *names[MAX_NAMES];
static size_t name_count;

static void read_names(void)
{
	char *name = NULL;
	size_t room = 0;

	while (name_count < MAX_NAMES && getdelim(&name, &room, '\0', stdin) > 0) {
		names[name_count++] = name;
		name = NULL;
		room = 0;
	}
	free(name);
}

static void print_line(const unsigned char *digest, bool attack, const char *name)
{
	char hex[2 * BLOCKSHA_SHA1_DIGEST_SIZE + 1];

	blocksha_hex_encode(hex, digest, BLOCKSHA_SHA1_DIGEST_SIZE);
	printf("%s %s%s\n", hex, attack ? "*coll* " : " ", name);
}

static void print_safe(const char *name)
{
	static unsigned char piece[MAX_PIECE];
	unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE];
	FILE *file = fopen(name, "rb");
	blocksha_sha1dc_ctx ctx;
	size_t size;
	int result;

	TEST_REQUIRE(file != NULL, name);
	blocksha_sha1dc_init(&ctx);
	blocksha_sha1dc_set_options(&ctx, BLOCKSHA_SHA1DC_SAFE_HASH);
	while ((size = fread(piece, 1, 1 + test_random_below(MAX_PIECE), file)) > 0)
		blocksha_sha1dc_update(&ctx, piece, size);
	TEST_REQUIRE(ferror(file) == 0, name);
	fclose(file);
	result = blocksha_sha1dc_final(&ctx, digest, NULL);
	TEST_REQUIRE(result >= 0, "final");
	print_line(digest, result == BLOCKSHA_ATTACK, name);
}

static struct blocksha_piece read_file(const char *name)
{
	FILE *file = fopen(name, "rb");
	unsigned char *data;
	long size;

	TEST_REQUIRE(file != NULL && fseek(file, 0, SEEK_END) == 0, name);
	size = ftell(file);
	rewind(file);
	data = malloc((size_t)size + 1);
	TEST_REQUIRE(data != NULL && fread(data, 1, (size_t)size, file) == (size_t)size, name);
	fclose(file);
	return (struct blocksha_piece){data, (size_t)size};
}

static void print_many(void)
{
	static struct blocksha_piece pieces[MAX_NAMES];
	static struct blocksha_message messages[MAX_NAMES];
	static unsigned char digests[MAX_NAMES][BLOCKSHA_SHA1_DIGEST_SIZE];
	static struct blocksha_attack attacks[MAX_NAMES];

	for (size_t i = 0; i < name_count; i++) {
		pieces[i] = read_file(names[i]);
		messages[i] = (struct blocksha_message){&pieces[i], 1};
	}
	blocksha_sha1dc_many(messages, name_count, digests, attacks);
	for (size_t i = 0; i < name_count; i++)
		print_line(digests[i], attacks[i].blocks != 0, names[i]);
}

static void write_messages(const char *folder)
{
	for (size_t i = 0; i < MESSAGES; i++) {
		char path[4096];
		FILE *file;

		snprintf(path, sizeof(path), "%s/%s", folder, expected_messages[i].name);
		file = fopen(path, "wb");
		TEST_REQUIRE(file != NULL, path);
		TEST_REQUIRE(fwrite(expected_bytes(i), 1, expected_messages[i].size, file) ==
				     expected_messages[i].size,
			     path);
		TEST_REQUIRE(fclose(file) == 0, path);
	}
}

static void print_kernels(void)
{
	struct blocksha_kernel_info info;

	for (size_t i = 0; blocksha_get_kernel_info(i, &info) == BLOCKSHA_OK; i++)
		if (strcmp(info.algorithm, "sha1dc") == 0 && info.usable)
			printf("%s %u\n", info.name, info.lanes);
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";
	char list[80];

	if (strcmp(command, "kernels") == 0) {
		print_kernels();
		return 0;
	}
	if (argc != 3)
		return 2;
	if (strcmp(command, "write") == 0) {
		write_messages(argv[2]);
		return 0;
	}
	snprintf(list, sizeof(list), "sha1dc:%s", argv[2]);
	if (blocksha_force_kernels(list) != BLOCKSHA_OK)
		return 2;
	read_names();
	if (strcmp(command, "many") == 0)
		print_many();
	else
		for (size_t i = 0; i < name_count; i++)
			print_safe(names[i]);
	return 0;
}
