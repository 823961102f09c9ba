/* SPDX-License-Identifier: MIT */
/* Base 64: the vectors of RFC 4648, and that nothing but the one encoding is decoded. */
#include "test.h"

#include "../cli/base64.h"

/* Whether text is what an encoder writes for size bytes. */
static bool decode_canonical(unsigned char *bytes, size_t size, const char *text, size_t length)
{
	bool canonical;

	return base64_decode(bytes, size, text, length, &canonical) && canonical;
}

static const char *const vectors[][2] = {
	/* RFC 4648, section 10 */
	{"", ""},
	{"f", "Zg=="},
	{"\146o", "Zm8="},
	{"foo", "Zm9v"},
	{"foob", "Zm9vYg=="},
	{"fooba", "Zm9vYmE="},
	{"foobar", "Zm9vYmFy"},
	/* all digits: RFC 4648, table 1 */
	{"\x00\x10\x83\x10\x51\x87\x20\x92\x8b\x30\xd3\x8f\x41\x14\x93\x51\x55\x97\x61\x96\x9b\x71"
	 "\xd7\x9f\x82\x18\xa3\x92\x59\xa7\xa2\x9a\xab\xb2\xdb\xaf\xc3\x1c\xb3\xd3\x5d\xb7\xe3\x9e"
	 "\xbb\xf3\xdf\xbf",
	 "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"},
};

static void test_vectors(void)
{
	for (size_t i = 0; i < TEST_COUNT(vectors); i++) {
		const char *text = vectors[i][1];
		size_t size = i + 1 < TEST_COUNT(vectors) ? strlen(vectors[i][0]) : 48;
		char encoded[100];
		unsigned char bytes[50];

		base64_encode(encoded, vectors[i][0], size);
		CHECK(strcmp(encoded, text) == 0, "vector %zu: %s", i, encoded);
		CHECK_INT((long long)BASE64_LENGTH(size), (long long)strlen(text), "vector %zu", i);
		CHECK(decode_canonical(bytes, size, text, strlen(text)), "vector %zu", i);
		CHECK_BYTES(bytes, vectors[i][0], size, "vector %zu", i);
	}
}

static void test_refused(void)
{
	static const struct {
		size_t size;
		const char *text;
	} rows[] = {
		{0, "="},
		{0, "===="},
		{1, ""},
		{1, "Zg"},
		{1, "Zg="},
		{1, "Zg==="},
		{1, "Zh=="},
		{1, "Z==="},
		{1, "===="},
		{1, "Zm8="},
		{1, "Zg=A"},
		{2, "Zm9="},
		{2, "Zm8"},
		{2, "Zg=="},
		{2, "Zm9v"},
		{2, "Zm8=Zm8="},
		{3, "Zm9"},
		{3, "Zm9v\n"},
		{3, " Zm9v"},
		{3, "Zm9-"},
		{3, "Zm9_"},
		{3, "Zm8="},
		{3, "Zm\0v"},
		{3, "Zm9v===="},
		{4, "Zg==Zg=="},
		{6, "Zm9vYg=="},
		{6, "Zm9vYmE="},
		{6, "Zm9=YmFy"},
		{6, "Zm\xff"
		    "vYmFy"},
	};
	unsigned char bytes[8];

	for (size_t i = 0; i < TEST_COUNT(rows); i++)
		CHECK(!decode_canonical(bytes, rows[i].size, rows[i].text, strlen(rows[i].text)),
		      "row %zu: %s", i, rows[i].text);
	CHECK(!decode_canonical(bytes, 3, "Zm\0v", 4), "NUL");
}

/* Of all texts of one group, exactly those decode that some bytes are encoded to. */
static void test_groups(void)
{
	static const char some[] = "AQgw/+9=-\n";

	for (size_t size = 1; size <= 3; size++)
		for (size_t i = 0; i < 10000; i++) {
			char text[5] = {some[i % 10], some[i / 10 % 10], some[i / 100 % 10],
					some[i / 1000], '\0'};
			unsigned char bytes[3];
			char again[5];

			if (!decode_canonical(bytes, size, text, 4))
				continue;
			base64_encode(again, bytes, size);
			CHECK(strcmp(text, again) == 0, "%s, %s", text, again);
		}
}

static void test_round_trips(void)
{
	struct test_guarded bytes = test_guarded_new(256), text = test_guarded_new(512);
	unsigned char again[256];

	for (unsigned round = test_rounds(20000); round > 0; round--) {
		size_t size = test_random_below(200), length = BASE64_LENGTH(size);
		unsigned char *in = bytes.end - size;
		char *out = (char *)text.end - length - 1;

		test_random_bytes(in, size);
		base64_encode(out, in, size);
		CHECK_INT((long long)strlen(out), (long long)length, "size %zu", size);
		CHECK(decode_canonical(again, size, out, length), "%s", out);
		CHECK_BYTES(again, in, size, "%s", out);
	}
	test_guarded_free(&bytes);
	test_guarded_free(&text);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_vectors);
	TEST_RUN(test_refused);
	TEST_RUN(test_groups);
	TEST_RUN(test_round_trips);
	return test_end();
}
