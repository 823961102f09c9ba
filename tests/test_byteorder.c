/* SPDX-License-Identifier: MIT */
/*
 * test_byteorder.c - the values of blocksha_byteorder.h, at every alignment and next
 * to pages that may not be touched.
 *
 * What is expected comes from text and from arithmetic, never from shifts or from the
 * CPU's own order: the bytes of a number are the digits of its hexadecimal form.
 */
#include "test.h"

#include "blocksha_byteorder.h"

enum order { BIG, LITTLE };

/* One get and one put, widened to 64 bits so that one test serves all. */
struct pair {
	const char *name;
	enum order order;
	size_t size; /* in bytes */
	uint64_t (*get)(const unsigned char *p);
	void (*put)(unsigned char *p, uint64_t value);
};

#define PAIR(letters, bits)                                               \
	static uint64_t get_##letters##bits(const unsigned char *p)       \
	{                                                                 \
		return blocksha_get_##letters##bits(p);                   \
	}                                                                 \
	static void put_##letters##bits(unsigned char *p, uint64_t value) \
	{                                                                 \
		blocksha_put_##letters##bits(p, (uint##bits##_t)value);   \
	}

PAIR(be, 16)
PAIR(be, 32)
PAIR(be, 64)
PAIR(le, 16)
PAIR(le, 32)
PAIR(le, 64)

static const struct pair pairs[] = {
	{"be16", BIG, 2, get_be16, put_be16},    {"be32", BIG, 4, get_be32, put_be32},
	{"be64", BIG, 8, get_be64, put_be64},    {"le16", LITTLE, 2, get_le16, put_le16},
	{"le32", LITTLE, 4, get_le32, put_le32}, {"le64", LITTLE, 8, get_le64, put_le64},
};

#define PAIRS_END (pairs + TEST_COUNT(pairs))

/* The bytes of value in this order. */
static void expect_bytes(const struct pair *pair, uint64_t value, unsigned char *bytes)
{
	char hex[17];
	unsigned char big[8];

	snprintf(hex, sizeof hex, "%016" PRIx64, value);
	test_from_hex(big, hex, sizeof big);
	for (size_t i = 0; i < pair->size; i++)
		bytes[i] = pair->order == BIG ? big[8 - pair->size + i] : big[7 - i];
}

/* Puts value at p, looks at the bytes, and gets it again. */
static void check_value(const struct pair *pair, unsigned char *p, uint64_t value)
{
	unsigned char expected[8];

	expect_bytes(pair, value, expected);
	pair->put(p, value);
	CHECK_BYTES(p, expected, pair->size, "put_%s 0x%" PRIx64, pair->name, value);
	CHECK(pair->get(p) == value, "get_%s of 0x%" PRIx64 " is 0x%" PRIx64, pair->name, value,
	      pair->get(p));
}

/* Only the lowest bytes that this pair has. */
static uint64_t low_bytes(const struct pair *pair, uint64_t value)
{
	return pair->size == 8 ? value : value % ((uint64_t)1 << 8 * pair->size);
}

/* Written out by hand. The bytes of the second array have their highest bit set, so
   that a sign that is extended shows. */
static void test_known_bytes(void)
{
	static const unsigned char low[8] = {0x01, 0x23, 0x45, 0x67, 0x09, 0x2b, 0x4d, 0x6f};
	static const unsigned char high[8] = {0xfe, 0xdc, 0xba, 0x98, 0xf6, 0xd4, 0xb2, 0x90};

	CHECK(blocksha_get_be16(low) == 0x0123, "be16");
	CHECK(blocksha_get_be32(low) == 0x01234567, "be32");
	CHECK(blocksha_get_be64(low) == UINT64_C(0x01234567092b4d6f), "be64");
	CHECK(blocksha_get_le16(low) == 0x2301, "le16");
	CHECK(blocksha_get_le32(low) == 0x67452301, "le32");
	CHECK(blocksha_get_le64(low) == UINT64_C(0x6f4d2b0967452301), "le64");

	CHECK(blocksha_get_be16(high) == 0xfedc, "be16");
	CHECK(blocksha_get_be32(high) == 0xfedcba98, "be32");
	CHECK(blocksha_get_be64(high) == UINT64_C(0xfedcba98f6d4b290), "be64");
	CHECK(blocksha_get_le16(high) == 0xdcfe, "le16");
	CHECK(blocksha_get_le32(high) == 0x98badcfe, "le32");
	CHECK(blocksha_get_le64(high) == UINT64_C(0x90b2d4f698badcfe), "le64");
}

/* The example of the header. */
static void test_header_example(void)
{
	static const unsigned char expected[6] = {0xca, 0xfe, 0xba, 0xbe, 0x01, 0x02};
	unsigned char header[6];

	blocksha_put_be32(header, 0xcafebabe);
	blocksha_put_le16(header + 4, 513);
	CHECK_BYTES(header, expected, sizeof header, "the example");
	CHECK(blocksha_get_be32(header) == 0xcafebabe, "the example");
}

/* Every function combines bits that do not meet: right for each bit alone, for none
   and for all, it is right for every value. */
static void test_every_bit(void)
{
	unsigned char bytes[8];

	for (const struct pair *pair = pairs; pair < PAIRS_END; pair++) {
		check_value(pair, bytes, 0);
		check_value(pair, bytes, low_bytes(pair, UINT64_MAX));
		for (size_t bit = 0; bit < 8 * pair->size; bit++)
			check_value(pair, bytes, (uint64_t)1 << bit);
	}
}

static void test_every_16_bit_value(void)
{
	unsigned char bytes[2];

	for (const struct pair *pair = pairs; pair < PAIRS_END; pair++)
		for (uint64_t value = 0; pair->size == 2 && value <= UINT16_MAX; value++)
			check_value(pair, bytes, value);
}

/* All alignments, and nothing else is written. */
static void test_offsets(void)
{
	static _Alignas(16) unsigned char memory[16 + 8 + 16];

	for (const struct pair *pair = pairs; pair < PAIRS_END; pair++) {
		for (size_t offset = 0; offset < 16; offset++) {
			for (unsigned round = 0; round < test_rounds(200); round++) {
				unsigned char filler = (unsigned char)test_random();
				unsigned char *p = memory + offset;
				unsigned char *end = p + pair->size;

				memset(memory, filler, sizeof memory);
				check_value(pair, p, low_bytes(pair, test_random()));
				CHECK(test_is_filled(memory, filler, offset),
				      "put_%s at offset %zu changes what is before", pair->name,
				      offset);
				CHECK(test_is_filled(end, filler,
						     sizeof memory - offset - pair->size),
				      "put_%s at offset %zu changes what is behind", pair->name,
				      offset);
			}
		}
	}
}

/* Memory may be read as bytes whatever was stored there, and stored as bytes whatever is
   read there next; an optimizer that knew better would show here. */
static void test_memory_of_another_type(void)
{
	uint64_t word = 0;
	unsigned char bytes[8];

	blocksha_put_le32((unsigned char *)&word, 0x04030201);
	blocksha_put_be32((unsigned char *)&word + 4, 0x05060708);
	memcpy(bytes, &word, sizeof bytes);
	CHECK_BYTES(bytes, "\x01\x02\x03\x04\x05\x06\x07\x08", sizeof bytes, "put in a word");

	word = test_random();
	memcpy(bytes, &word, sizeof bytes);
	CHECK(blocksha_get_be64((const unsigned char *)&word) == blocksha_get_be64(bytes),
	      "get of a word");
}

/* No byte before or behind is touched: it would be in a page that may not be. */
static void test_guard_pages(void)
{
	struct test_guarded g = test_guarded_new(64);

	for (const struct pair *pair = pairs; pair < PAIRS_END; pair++) {
		for (size_t offset = 0; offset < 16; offset++) {
			check_value(pair, g.begin + offset, low_bytes(pair, test_random()));
			check_value(pair, g.end - pair->size - offset,
				    low_bytes(pair, test_random()));
		}
	}
	test_guarded_free(&g);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_known_bytes);
	TEST_RUN(test_header_example);
	TEST_RUN(test_every_bit);
	TEST_RUN(test_every_16_bit_value);
	TEST_RUN(test_offsets);
	TEST_RUN(test_memory_of_another_type);
	TEST_RUN(test_guard_pages);
	return test_end();
}
