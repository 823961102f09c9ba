/* SPDX-License-Identifier: MIT */
/* test_hex.c - hexadecimal digits, both ways. */
#include "test.h"

#include "blocksha.h"

static const char lower[] = "0123456789abcdef";
static const char upper[] = "0123456789ABCDEF";

/* The value of a digit by definition, -1 for any other character. */
static int digit_value(int c)
{
	for (int i = 0; i < 16; i++)
		if (c == lower[i] || c == upper[i])
			return i;
	return -1;
}

static void test_every_byte(void)
{
	unsigned char bytes[256], back[256];
	char hex[2 * 256 + 1];

	for (unsigned i = 0; i < 256; i++)
		bytes[i] = (unsigned char)i;
	memset(hex, 'x', sizeof(hex));
	blocksha_hex_encode(hex, bytes, sizeof(bytes));
	for (unsigned i = 0; i < 256; i++) {
		CHECK_INT(hex[2 * i], lower[i / 16], "byte %u", i);
		CHECK_INT(hex[2 * i + 1], lower[i % 16], "byte %u", i);
	}
	CHECK_INT(hex[512], '\0', "the end");
	CHECK_INT(blocksha_hex_decode(back, hex, sizeof(back)), BLOCKSHA_OK, "every byte");
	CHECK_BYTES(back, bytes, sizeof(bytes), "every byte");
}

/* Every pair of characters is two digits or is refused. */
static void test_every_pair(void)
{
	for (int high = 0; high < 256; high++)
		for (int low = 0; low < 256; low++) {
			const char hex[2] = {(char)high, (char)low};
			bool good = digit_value(high) >= 0 && digit_value(low) >= 0;
			unsigned char byte = 0xa5;
			int status = blocksha_hex_decode(&byte, hex, 1);

			CHECK_INT(status, good ? BLOCKSHA_OK : BLOCKSHA_ERROR_FORMAT,
				  "characters 0x%02x 0x%02x", (unsigned)high, (unsigned)low);
			if (good)
				CHECK_INT(byte, 16 * digit_value(high) + digit_value(low),
					  "characters 0x%02x 0x%02x", (unsigned)high,
					  (unsigned)low);
		}
}

/* A wrong character at every place; nothing behind it is read, for it is the last
   before a guard page. What was decoded before it is there, and nothing else. */
static void test_wrong_character(void)
{
	static const char wrong[] = {'g', 'G', ' ', '\0', '/', ':', '@', '`', 'x', '-'};
	enum { SIZE = 32 };
	struct test_guarded place = test_guarded_new(2 * SIZE);
	unsigned char bytes[SIZE], back[SIZE];

	test_random_bytes(bytes, SIZE);
	for (size_t at = 0; at < 2 * SIZE; at++)
		for (size_t i = 0; i < TEST_COUNT(wrong); i++) {
			char hex[2 * SIZE + 1];
			unsigned char *copy = place.end - at - 1;
			size_t decoded = at / 2;

			blocksha_hex_encode(hex, bytes, SIZE);
			hex[at] = wrong[i];
			memcpy(copy, hex, at + 1);
			memset(back, 0xa5, SIZE);
			CHECK_INT(blocksha_hex_decode(back, (const char *)copy, SIZE),
				  BLOCKSHA_ERROR_FORMAT, "0x%02x at %zu", (unsigned)wrong[i], at);
			CHECK_BYTES(back, bytes, decoded, "0x%02x at %zu", (unsigned)wrong[i], at);
			CHECK(test_is_filled(back + decoded, 0xa5, SIZE - decoded), "0x%02x at %zu",
			      (unsigned)wrong[i], at);
		}
	test_guarded_free(&place);
}

/* Every size between guard pages: no byte too many is read or written. */
static void test_sizes(void)
{
	enum { MAX_SIZE = 100 };
	struct test_guarded text = test_guarded_new(2 * MAX_SIZE + 1);
	struct test_guarded data = test_guarded_new(MAX_SIZE);
	unsigned char copy[MAX_SIZE];

	for (size_t size = 0; size <= MAX_SIZE; size++) {
		unsigned char *bytes = data.end - size;
		char *hex = (char *)text.end - 2 * size - 1, *no_nul = hex + 1;

		test_random_bytes(copy, size);
		memcpy(bytes, copy, size);
		blocksha_hex_encode(hex, bytes, size);
		CHECK_INT((long long)strlen(hex), (long long)(2 * size), "size %zu", size);
		/* Without the NUL and in mixed case. */
		memmove(no_nul, hex, 2 * size);
		for (size_t i = 0; i < 2 * size; i++)
			if (test_random_below(2) == 0)
				no_nul[i] = upper[digit_value(no_nul[i])];
		memset(bytes, 0xa5, size);
		CHECK_INT(blocksha_hex_decode(bytes, no_nul, size), BLOCKSHA_OK, "size %zu", size);
		CHECK_BYTES(bytes, copy, size, "size %zu", size);
	}
	test_guarded_free(&text);
	test_guarded_free(&data);
}

static void test_null(void)
{
	char hex[1] = {'x'};

	blocksha_hex_encode(hex, NULL, 0);
	CHECK_INT(hex[0], '\0', "encode (NULL, 0)");
	CHECK_INT(blocksha_hex_decode(NULL, NULL, 0), BLOCKSHA_OK, "decode (NULL, 0)");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_every_byte);
	TEST_RUN(test_every_pair);
	TEST_RUN(test_wrong_character);
	TEST_RUN(test_sizes);
	TEST_RUN(test_null);
	return test_end();
}
