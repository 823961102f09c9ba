/* SPDX-License-Identifier: MIT */
/*
 * fuzz_sha1dc.c - every detecting kernel that this machine can run, of one message and of many,
 * against the portable one; and what is built on them against one call of it.
 *
 *     clang -O1 -DBLOCKSHA_LIBFUZZER -fsanitize=fuzzer,address,undefined -Iinclude -Ilib \
 *             fuzz/fuzz_sha1dc.c $(find lib -name '*.c')
 *
 * makes a program that fuzzes. Without these options, and with any compiler, it is one that runs
 * the files that are named on its command line, or some thousand random inputs if none is.
 *
 * Fuzzing alone finds no attack on SHA-1. So the first byte of an input may put a published one
 * before the rest of it.
 */
#include "../tests/sha1dc_blocks.h"

#include "blocksha.h"
#include "kernel.h"

enum { BLOCK = BLOCKSHA_BLOCK_SIZE, INPUT_SIZE = 1 << 16 };

/* The first byte. */
enum {
	FLAG_WHICH = 3,         /* of the published messages */
	FLAG_MESSAGE = 4,       /* all of it before the data, */
	FLAG_CUT = 8,           /* but for the last byte, */
	FLAG_ATTACK_BLOCK = 16, /* or, for the kernels, the block that is an attack alone */
	FLAG_LANE = 224         /* and how many lanes stand before it */
};

struct input {
	unsigned flags;
	const unsigned char *data;
	size_t size;
};

#define REQUIRE(condition, ...)                     \
	do {                                        \
		if (!(condition)) {                 \
			printf("%s: ", #condition); \
			printf(__VA_ARGS__);        \
			printf("\n");               \
			abort();                    \
		}                                   \
	} while (0)

/* The data with something before it; to be freed. */
static unsigned char *with_head(const struct input *in, const unsigned char *head, size_t head_size)
{
	unsigned char *message = malloc(head_size + in->size + 1);

	TEST_REQUIRE(message != NULL, "malloc");
	if (head_size != 0)
		memcpy(message, head, head_size);
	if (in->size != 0)
		memcpy(message + head_size, in->data, in->size);
	return message;
}

/* --- Kernels ---------------------------------------------------------------------- */

static const struct blocksha_kernel *portable_of(enum blocksha_algorithm algorithm)
{
	size_t i = blocksha_kernel_count;

	do
		i--;
	while (blocksha_kernels[i].algorithm != algorithm);
	return &blocksha_kernels[i];
}

static void fuzz_kernel(const struct blocksha_kernel *kernel, const unsigned char *data,
			size_t nblocks, unsigned attack_lane, const uint32_t attack_in[5])
{
	const struct blocksha_kernel *portable = portable_of(kernel->algorithm);
	size_t words = kernel->algorithm == BLOCKSHA_SHA1DC ? BLOCKSHA_SHA1_WORDS
							    : BLOCKSHA_SHA1_SHA256_WORDS;
	size_t stride = kernel->lanes == 1 ? 1 : BLOCKSHA_LANES_MAX;
	uint32_t state[BLOCKSHA_SHA1_SHA256_WORDS * BLOCKSHA_LANES_MAX] = {0};
	uint32_t expected[BLOCKSHA_LANES_MAX][BLOCKSHA_SHA1_SHA256_WORDS] = {{0}};
	const unsigned char *lanes[BLOCKSHA_LANES_MAX];
	uint32_t attacks = 0, found;

	/* One lane has the data from its begin, the others from some byte of it on. */
	attack_lane %= kernel->lanes;
	for (unsigned l = 0; l < kernel->lanes; l++) {
		unsigned distance = (l + kernel->lanes - attack_lane) % kernel->lanes;

		lanes[l] = data + distance;
		memcpy(expected[l], attack_in, 5 * sizeof(attack_in[0]));
		for (size_t w = 0; w < words; w++)
			state[w * stride + l] = expected[l][w];
		if (portable->detect(expected[l], lanes[l], nblocks))
			attacks |= UINT32_C(1) << l;
	}
	if (kernel->lanes == 1)
		found = (uint32_t)kernel->detect(state, data, nblocks);
	else
		found = kernel->detect_lanes(state, lanes, nblocks);
	REQUIRE(found == attacks, "%s: attacks in lanes %08x, not %08x", kernel->name,
		(unsigned)found, (unsigned)attacks);
	for (unsigned l = 0; l < kernel->lanes; l++)
		for (size_t w = 0; w < words; w++)
			REQUIRE(state[w * stride + l] == expected[l][w], "%s: lane %u, word %zu",
				kernel->name, l, w);
}

static void fuzz_kernels(const struct input *in)
{
	const size_t which = in->flags & FLAG_WHICH;
	const struct expected_attack *attack = &expected_messages[which].verdicts[0].attacks[0];
	bool with_attack = (in->flags & FLAG_ATTACK_BLOCK) != 0;
	size_t head = with_attack ? BLOCK : 0, size = head + in->size;
	unsigned char *data = with_head(in, expected_bytes(which) + attack->offset, head);

	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *kernel = &blocksha_kernels[i];

		if ((kernel->detect == NULL && kernel->detect_lanes == NULL) ||
		    !blocksha_kernel_usable(kernel) || size < kernel->lanes)
			continue;
		fuzz_kernel(kernel, data, (size - (kernel->lanes - 1)) / BLOCK,
			    (in->flags & FLAG_LANE) / 32, attack->in);
	}
	free(data);
}

/* --- Messages --------------------------------------------------------------------- */

static bool is_same_attack(const struct blocksha_attack *x, const struct blocksha_attack *y)
{
	return x->offset == y->offset && x->blocks == y->blocks && x->vector == y->vector;
}

/* In pieces, whose sizes are bytes of the message. */
static void fuzz_pieces(const unsigned char *message, size_t size, unsigned options,
			const unsigned char *expected, const struct blocksha_attack *attack)
{
	unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE], saved[BLOCKSHA_SHA1DC_EXPORT_SIZE];
	struct blocksha_attack found;
	blocksha_sha1dc_ctx ctx;
	size_t done = 0;

	blocksha_sha1dc_init(&ctx);
	blocksha_sha1dc_set_options(&ctx, options);
	while (done < size) {
		size_t piece = message[size - 1 - done];

		piece = piece < size - done ? piece : size - done;
		blocksha_sha1dc_update(&ctx, message + done, piece);
		done += piece + (piece == 0);
		if (piece == 0) /* one byte, and a detour */
			blocksha_sha1dc_update(&ctx, message + done - 1, 1);
		if (piece == 0 && blocksha_sha1dc_export(&ctx, saved) == BLOCKSHA_OK)
			REQUIRE(blocksha_sha1dc_import(&ctx, saved, sizeof(saved)) == BLOCKSHA_OK,
				"at %zu", done);
	}
	REQUIRE(blocksha_sha1dc_final(&ctx, digest, &found) ==
			(attack->blocks != 0 ? BLOCKSHA_ATTACK : BLOCKSHA_OK),
		"options %u", options);
	REQUIRE(is_same_attack(&found, attack), "options %u", options);
	REQUIRE(memcmp(digest, expected, sizeof(digest)) == 0, "options %u", options);
}

static void fuzz_many(const unsigned char *message, size_t size)
{
	enum { COUNT = 40 };
	struct blocksha_piece pieces[COUNT][2];
	struct blocksha_message messages[COUNT];
	unsigned char digests[COUNT][BLOCKSHA_SHA1_DIGEST_SIZE];
	unsigned char expected[BLOCKSHA_SHA1_DIGEST_SIZE];
	struct blocksha_attack attacks[COUNT], attack;
	int any = BLOCKSHA_OK;
	size_t count = size == 0 ? 0 : message[size / 2] % COUNT;

	/* The message, and others from its third parts on. */
	for (size_t i = 0; i < count; i++) {
		size_t begin = i % 3 * (size / 3), split = (size - begin) * i / COUNT;

		pieces[i][0] = (struct blocksha_piece){message + begin, split};
		pieces[i][1] =
			(struct blocksha_piece){message + begin + split, size - begin - split};
		messages[i] = (struct blocksha_message){pieces[i], 2};
	}
	REQUIRE(blocksha_force_kernels("") == BLOCKSHA_OK, "nothing");
	for (size_t i = 0; i < count; i++)
		any |= blocksha_sha1dc(message + i % 3 * (size / 3), size - i % 3 * (size / 3),
				       expected, NULL);
	REQUIRE(blocksha_sha1dc_many(messages, count, digests, attacks) == any, "%zu messages",
		count);
	for (size_t i = 0; i < count; i++) {
		blocksha_sha1dc(message + i % 3 * (size / 3), size - i % 3 * (size / 3), expected,
				&attack);
		REQUIRE(memcmp(digests[i], expected, sizeof(expected)) == 0, "message %zu", i);
		REQUIRE(is_same_attack(&attacks[i], &attack), "message %zu", i);
	}
}

static void fuzz_messages(const struct input *in)
{
	const size_t which = in->flags & FLAG_WHICH;
	size_t head = (in->flags & FLAG_MESSAGE) == 0
			      ? 0
			      : expected_messages[which].size - ((in->flags & FLAG_CUT) != 0);
	unsigned char *message = with_head(in, expected_bytes(which), head);
	unsigned options =
		(in->flags / 32) & (BLOCKSHA_SHA1DC_SAFE_HASH | BLOCKSHA_SHA1DC_REDUCED_ROUNDS);
	unsigned char expected[BLOCKSHA_SHA1_DIGEST_SIZE];
	struct blocksha_attack attack;
	blocksha_sha1dc_ctx ctx;

	REQUIRE(blocksha_force_kernels("sha1dc:portable") == BLOCKSHA_OK, "portable");
	blocksha_sha1dc_init(&ctx);
	blocksha_sha1dc_set_options(&ctx, options);
	blocksha_sha1dc_update(&ctx, message, head + in->size);
	(void)blocksha_sha1dc_final(&ctx, expected, &attack);
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *kernel = &blocksha_kernels[i];
		char list[80];

		if (kernel->algorithm != BLOCKSHA_SHA1DC || kernel->lanes != 1 ||
		    !blocksha_kernel_usable(kernel))
			continue;
		snprintf(list, sizeof(list), "sha1dc:%s", kernel->name);
		REQUIRE(blocksha_force_kernels(list) == BLOCKSHA_OK, "%s", list);
		fuzz_pieces(message, head + in->size, options, expected, &attack);
	}
	fuzz_many(message, head + in->size);
	free(message);
}

/* -------------------------------------------------------------------------------------- */

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct input in;

	if (size == 0 || size > INPUT_SIZE)
		return 0;
	in = (struct input){data[0], data + 1, size - 1};
	fuzz_kernels(&in);
	fuzz_messages(&in);
	return 0;
}

#ifndef BLOCKSHA_LIBFUZZER /* which brings a main function */

static void run_file(const char *path)
{
	static unsigned char data[INPUT_SIZE];
	FILE *file = fopen(path, "rb");
	size_t size;

	TEST_REQUIRE(file != NULL, path);
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
}

/* Every first byte comes first. */
static void run_random(unsigned count)
{
	static unsigned char data[4000];

	for (unsigned i = 0; i < count; i++) {
		size_t size = 1 + test_random_below(test_random_below(8) == 0 ? sizeof(data) : 500);

		test_random_bytes(data, size);
		if (i < 256)
			data[0] = (unsigned char)i;
		LLVMFuzzerTestOneInput(data, size);
	}
}

int main(int argc, char **argv)
{
	test_begin(1, argv);
	for (int i = 1; i < argc; i++)
		run_file(argv[i]);
	if (argc == 1)
		run_random(test_rounds(3000));
	printf("%d inputs passed\n", argc == 1 ? (int)test_rounds(3000) : argc - 1);
	return 0;
}

#endif
