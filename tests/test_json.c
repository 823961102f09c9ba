/* SPDX-License-Identifier: MIT */
/* JSON: what is UTF-8, what is escaped, and where commas stand. */
#include "test.h"

#include "../cli/json.h"

static char *text;
static size_t text_size;
static struct json json;

static void begin(void)
{
	FILE *out = open_memstream(&text, &text_size);

	TEST_REQUIRE(out != NULL, "open_memstream");
	json_begin(&json, out);
}

static void check_end(const char *expected)
{
	json_end(&json);
	fclose(json.out);
	CHECK(strcmp(text, expected) == 0, "%s%s", text, expected);
	free(text);
}

static void test_members(void)
{
	begin();
	check_end("{}\n");

	begin();
	json_number(&json, "zero", 0);
	json_number(&json, "most", UINT64_MAX);
	json_null(&json, "none");
	json_boolean(&json, "yes", true);
	json_boolean(&json, "no", false);
	json_hex(&json, "hex", "\x00\x7f\xff", 3);
	json_hex(&json, "empty", NULL, 0);
	json_string(&json, "text", "");
	check_end(
		"{\"zero\":0,\"most\":18446744073709551615,\"none\":null,\"yes\":true,\"no\":false,"
		"\"hex\":\"007fff\",\"empty\":\"\",\"text\":\"\"}\n");

	begin();
	json_begin_object(&json, "a");
	json_begin_object(&json, "b");
	json_end_object(&json);
	json_number(&json, "c", 1);
	json_number(&json, "d", 2);
	json_end_object(&json);
	json_begin_object(&json, "e");
	json_end_object(&json);
	check_end("{\"a\":{\"b\":{},\"c\":1,\"d\":2},\"e\":{}}\n");
}

static void test_strings(void)
{
	static const char *const rows[][2] = {
		{"plain / text", "plain / text"},
		{"\"\\", "\\\"\\\\"},
		{"\x01\b\t\n\r\x1f ~\x7f", "\\u0001\\u0008\\u0009\\u000a\\u000d\\u001f ~\\u007f"},
		{"\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "\\u0080\\u009b\\u009f\xc2\xa0"},
		{"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
		{"\xe2\x80\xa8", "\xe2\x80\xa8"},
		{"a\xff"
		 "b\xe2\x82",
		 "a\\ufffdb\\ufffd\\ufffd"},
	};
	char expected[200];

	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		begin();
		json_string(&json, "k", rows[i][0]);
		snprintf(expected, sizeof(expected), "{\"k\":\"%s\"}\n", rows[i][1]);
		check_end(expected);
	}
}

static void test_names(void)
{
	begin();
	json_name(&json, "name", "\xc3\xa4\n");
	json_name(&json, "other", "");
	check_end("{\"name\":\"\xc3\xa4\\u000a\",\"other\":\"\"}\n");

	/* base 64 from coreutils: printf '\377foobar' | base64 */
	begin();
	json_name(&json, "name",
		  "\xff"
		  "foobar");
	json_null(&json, "error");
	check_end("{\"name_base64\":\"/2Zvb2Jhcg==\",\"error\":null}\n");

	begin();
	json_number(&json, "size", 1);
	json_name(&json, "name", "foob\xc3");
	check_end("{\"size\":1,\"name_base64\":\"Zm9vYsM=\"}\n");
}

/* The definition: the shortest form of a scalar value. Returns its length or 0. */
static size_t definition(const unsigned char *bytes)
{
	static const uint32_t least[] = {0, 1, 0x80, 0x800, 0x10000};
	uint32_t value = bytes[0];
	size_t length = value < 0x80       ? 1
			: value >> 5 == 6  ? 2
			: value >> 4 == 14 ? 3
			: value >> 3 == 30 ? 4
					   : 0;

	if (length > 1)
		value &= 0xffu >> (length + 1);
	for (size_t i = 1; i < length; i++) {
		if (bytes[i] >> 6 != 2)
			return 0;
		value = value << 6 | (bytes[i] & 63u);
	}
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 0;
	return length;
}

/* All bytes at the first two places, and in the others those next to a limit. */
static void test_utf8(void)
{
	static const unsigned char limits[] = {0x00, 0x01, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
					       0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf4, 0xff};

	for (unsigned first = 0; first < 256; first++)
		for (unsigned second = 0; second < 256; second++)
			for (size_t i = 0; i < TEST_COUNT(limits) * TEST_COUNT(limits); i++) {
				unsigned char bytes[5] = {(unsigned char)first,
							  (unsigned char)second,
							  limits[i % TEST_COUNT(limits)],
							  limits[i / TEST_COUNT(limits)], 0};

				CHECK_INT((long long)json_utf8_length((const char *)bytes),
					  (long long)definition(bytes), "%02x %02x %02x %02x",
					  first, second, (unsigned)bytes[2], (unsigned)bytes[3]);
			}
}

/* Nothing behind the NUL is looked at. */
static void test_bounds(void)
{
	static const char *const cut[] = {"",     "\xc3",     "\xe2",         "\xe2\x82",
					  "\xf0", "\xf0\x9f", "\xf0\x9f\x98", "a\xf0\x9f\x98"};
	struct test_guarded memory = test_guarded_new(16);

	for (size_t i = 0; i < TEST_COUNT(cut); i++) {
		size_t size = strlen(cut[i]) + 1;
		char *name = memcpy(memory.end - size, cut[i], size);

		CHECK(json_utf8_length(name) == (name[0] == 'a'), "row %zu", i);
		begin();
		json_name(&json, "n", name);
		json_string(&json, "s", name);
		json_end(&json);
		fclose(json.out);
		CHECK(strstr(text, size > 1 ? "n_base64" : "\"n\":\"\"") != NULL, "%s", text);
		free(text);
	}
	test_guarded_free(&memory);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_members);
	TEST_RUN(test_strings);
	TEST_RUN(test_names);
	TEST_RUN(test_utf8);
	TEST_RUN(test_bounds);
	return test_end();
}
