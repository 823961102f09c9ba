/* SPDX-License-Identifier: MIT */
#include "ewah.h"

/* A word that says what follows: bit 0 is the bit that is repeated, 32 bits how often (in words),
   31 bits how many words stand as they are. */
static bool run_bit(uint64_t word)
{
	return (word & 1) != 0;
}

static uint64_t run_length(uint64_t word)
{
	return word >> 1 & UINT32_MAX;
}

static uint64_t literal_count(uint64_t word)
{
	return word >> 33;
}

static unsigned count_bits(uint64_t word)
{
	unsigned count = 0;

	for (; word != 0; word &= word - 1)
		count++;
	return count;
}

static unsigned width(uint64_t word)
{
	unsigned bits = 0;

	for (; word != 0; word >>= 1)
		bits++;
	return bits;
}

/* position counts words of the bitmap as it would be without compression. It is looked at after
   each run, so that nothing here overflows. */
static void add_run(struct git_ewah *ewah, uint64_t word, uint64_t *position)
{
	*position += run_length(word);
	if (!run_bit(word) || run_length(word) == 0)
		return;
	ewah->set += 64 * run_length(word);
	ewah->end = 64 * *position;
}

static void add_literal(struct git_ewah *ewah, uint64_t word, uint64_t *position)
{
	ewah->set += count_bits(word);
	if (word != 0)
		ewah->end = 64 * *position + width(word);
	++*position;
}

const char *blocksha_git_ewah_take(struct git_cursor *cursor, struct git_ewah *ewah)
{
	uint64_t position = 0;
	uint32_t count, at = 0, last = 0;
	const unsigned char *words;

	memset(ewah, 0, sizeof(*ewah));
	ewah->bits = git_cursor_be32(cursor);
	count = git_cursor_be32(cursor);
	words = git_cursor_take(cursor, (uint64_t)8 * count);
	if (words == NULL)
		return "bitmap ends too early";
	while (at < count) {
		uint64_t word = blocksha_get_be64(words + (size_t)8 * at);

		last = at++;
		add_run(ewah, word, &position);
		if (position > UINT32_MAX || literal_count(word) > count - at)
			return "bitmap with a run that is too long";
		for (uint64_t n = literal_count(word); n > 0; n--)
			add_literal(ewah, blocksha_get_be64(words + (size_t)8 * at++), &position);
	}
	at = git_cursor_be32(cursor);
	if (cursor->overrun)
		return "bitmap ends too early";
	if (at != last)
		return "bitmap with a wrong place of its last run";
	if (ewah->end > ewah->bits)
		return "bitmap with a bit beyond its end";
	return NULL;
}
