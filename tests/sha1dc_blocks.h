/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_blocks.h - blocks for the tests of the filter: with chosen conditions, random, and
 * from the files of this machine.
 *
 * A condition is a linear equation over GF(2) in the 512 bits of a block, because every bit of
 * the message schedule is a sum of some of them. So a block that fulfils what conditions one
 * likes is a random solution of a system of equations.
 */
#ifndef BLOCKSHA_SHA1DC_BLOCKS_H
#define BLOCKSHA_SHA1DC_BLOCKS_H

#include "test.h"

#include "textbook_sha1dc.h"

#if TEST_HAVE_MMAP /* a POSIX system */
#include <dirent.h>
#include <sys/stat.h>
#endif

/* --- Equations ------------------------------------------------------------------ */

enum { UNKNOWNS = 512, PARTS = UNKNOWNS / 64 };

/* The sum of the unknowns whose bits are set equals value. Unknown 32 * t + b is bit b of
   word t. */
struct equation {
	uint64_t unknowns[PARTS];
	unsigned value;
};

/* Solved for one unknown each, the pivot, which no other equation has. */
struct equations {
	unsigned count;
	unsigned pivots[CONDITIONS];
	struct equation rows[CONDITIONS];
};

static inline void equation_add(struct equation *to, const struct equation *from)
{
	for (unsigned i = 0; i < PARTS; i++)
		to->unknowns[i] ^= from->unknowns[i];
	to->value ^= from->value;
}

static inline unsigned equation_has(const struct equation *e, unsigned unknown)
{
	return (unsigned)(e->unknowns[unknown / 64] >> unknown % 64 & 1);
}

/* Bit b of W[t] as a sum of unknowns. */
static inline const struct equation *word_bit(unsigned t, unsigned b)
{
	static struct equation bits[80][32];
	static bool made;

	for (unsigned i = 0; i < 80 && !made; i++)
		for (unsigned j = 0; j < 32; j++) {
			static const unsigned before[] = {3, 8, 14, 16};

			if (i < 16)
				bits[i][j].unknowns[(32 * i + j) / 64] = UINT64_C(1)
									 << (32 * i + j) % 64;
			else /* the rotation by one: bit j comes from bit j - 1 */
				for (unsigned k = 0; k < 4; k++)
					equation_add(&bits[i][j],
						     &bits[i - before[k]][(j + 31) % 32]);
		}
	made = true;
	return &bits[t][b];
}

/* Adds one equation; false: it contradicts those before. */
static inline bool equations_add(struct equations *s, struct equation e)
{
	unsigned pivot = 0;

	for (unsigned i = 0; i < s->count; i++)
		if (equation_has(&e, s->pivots[i]))
			equation_add(&e, &s->rows[i]);
	while (pivot < UNKNOWNS && !equation_has(&e, pivot))
		pivot++;
	if (pivot == UNKNOWNS)
		return e.value == 0;
	for (unsigned i = 0; i < s->count; i++)
		if (equation_has(&s->rows[i], pivot))
			equation_add(&s->rows[i], &e);
	s->pivots[s->count] = pivot;
	s->rows[s->count++] = e;
	return true;
}

/* The condition, or its contrary. */
static inline bool equations_add_condition(struct equations *s, const struct expected_condition *c,
					   bool broken)
{
	struct equation e = *word_bit(c->t1, c->bit1);

	equation_add(&e, word_bit(c->t2, c->bit2));
	e.value = c->differ ^ (unsigned)broken;
	return equations_add(s, e);
}

/* All conditions of a DV; broken is the index of one to break, or CONDITIONS. False: they
   contradict those before, and s is no longer of use. */
static inline bool equations_add_dv(struct equations *s, unsigned dv, unsigned broken)
{
	for (unsigned i = 0; i < CONDITIONS; i++)
		if (expected_conditions[i].dv == dv &&
		    !equations_add_condition(s, &expected_conditions[i], i == broken))
			return false;
	return true;
}

/* The words of a random block that solves them. */
static inline void equations_solve(const struct equations *s, uint32_t w[80])
{
	struct equation block; /* its unknowns are the bits of the block */

	test_random_bytes(block.unknowns, sizeof(block.unknowns));
	for (unsigned i = 0; i < s->count; i++) {
		unsigned pivot = s->pivots[i], value = s->rows[i].value;
		uint64_t sum = 0;

		for (unsigned j = 0; j < PARTS; j++)
			sum ^= s->rows[i].unknowns[j] & block.unknowns[j];
		for (; sum != 0; sum &= sum - 1)
			value ^= 1;
		block.unknowns[pivot / 64] ^= (uint64_t)value << pivot % 64;
	}
	for (unsigned t = 0; t < 16; t++)
		w[t] = (uint32_t)(block.unknowns[t / 2] >> t % 2 * 32);
	textbook_schedule(w);
}

/* --- Blocks ----------------------------------------------------------------------- */

static inline void words_to_block(const uint32_t w[80], unsigned char *data)
{
	for (unsigned i = 0; i < 64; i++)
		data[i] = (unsigned char)(w[i / 4] >> (24 - i % 4 * 8));
}

/* A random block that the filter must pass for the DV. */
static inline void random_candidate(unsigned dv, uint32_t w[80])
{
	static struct equations all[VECTORS];

	if (all[dv].count == 0)
		TEST_REQUIRE(equations_add_dv(&all[dv], dv, CONDITIONS), "conditions of a DV");
	equations_solve(&all[dv], w);
}

/* A random block for as many DVs as can be had at once, in one of several random orders. */
static inline void random_rich_block(uint32_t w[80])
{
	static struct equations rich[20], with_next;
	struct equations *s = &rich[test_random_below(TEST_COUNT(rich))];

	for (unsigned i = 0; s->count == 0 || (i > 0 && i < 2 * VECTORS); i++) {
		with_next = *s;
		if (equations_add_dv(&with_next, (unsigned)test_random_below(VECTORS), CONDITIONS))
			*s = with_next;
	}
	equations_solve(s, w);
}

/* How many random blocks a test takes, and how many of files: BLOCKSHA_TEST_BLOCKS says it for
   the slow tests. */
static inline unsigned long test_blocks(unsigned usual)
{
	const char *value = getenv("BLOCKSHA_TEST_BLOCKS");

	return value != NULL ? strtoul(value, NULL, 10) : test_rounds(usual);
}

/* --- Real data ---------------------------------------------------------------------- */

typedef void block_fn(void *arg, const unsigned char *data);

#if TEST_HAVE_MMAP

/* The blocks of a file, or of all files in a folder and below; at most left. Returns how many are
   left. Not with nftw(): MSan knows nothing of what that hands over. */
static inline unsigned long for_blocks_below(const char *path, unsigned long left, block_fn *call,
					     void *arg)
{
	unsigned char data[64];
	struct stat status = {0}; /* for MSan, which does not know every lstat */

	if (lstat(path, &status) != 0)
		return left;
	if (S_ISDIR(status.st_mode)) {
		DIR *dir = opendir(path);
		struct dirent *entry;

		while (left > 0 && dir != NULL && (entry = readdir(dir)) != NULL) {
			char below[4096];

			snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
			if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
				left = for_blocks_below(below, left, call, arg);
		}
		if (dir != NULL)
			closedir(dir);
	} else if (S_ISREG(status.st_mode)) {
		FILE *file = fopen(path, "rb");

		for (; left > 0 && file != NULL && fread(data, sizeof(data), 1, file) == 1; left--)
			call(arg, data);
		if (file != NULL)
			fclose(file);
	}
	return left;
}

/* Calls for up to so many blocks of the system's files; half of them are programs. Returns how
   many there were. */
static inline unsigned long for_file_blocks(unsigned long count, block_fn *call, void *arg)
{
	unsigned long share = count / 2;

	return share - for_blocks_below("/usr/bin", share, call, arg) + share -
	       for_blocks_below("/usr/share", share, call, arg);
}

#else

static inline unsigned long for_file_blocks(unsigned long count, block_fn *call, void *arg)
{
	(void)count;
	(void)call;
	(void)arg;
	return 0;
}

#endif

/* --- Published messages --------------------------------------------------------------- */

/* A block that is part of an attack, and the chaining values before it. */
struct expected_attack {
	uint64_t offset;
	unsigned vector;
	uint32_t in[5], other_in[5];
};

struct expected_verdict {
	const char *digest;
	unsigned blocks;
	struct expected_attack attacks[2];
};

/* Verdicts: bit 0 of the index, safe hash; bit 1, reduced rounds. */
struct expected_message {
	const char *name;
	size_t size;
	const char *bytes;
	struct expected_verdict verdicts[4];
};

#include "expected/sha1dc_messages.h"

enum { MESSAGES = TEST_COUNT(expected_messages), MESSAGE_MAX = 640 };

static inline const unsigned char *expected_bytes(size_t i)
{
	static unsigned char bytes[MESSAGES][MESSAGE_MAX];
	static bool made[MESSAGES];

	if (!made[i])
		test_from_hex(bytes[i], expected_messages[i].bytes, expected_messages[i].size);
	made[i] = true;
	return bytes[i];
}

#endif
