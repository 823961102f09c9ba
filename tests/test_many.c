/* SPDX-License-Identifier: MIT */
/* test_many.c - many messages in one call, with every kernel that this machine can run. */
#include "many_template.h"

static void test_every_kernel(const struct hash *hash)
{
	struct blocksha_kernel_info info;

	for (size_t i = 0; blocksha_get_kernel_info(i, &info) == BLOCKSHA_OK; i++)
		if (strcmp(info.algorithm, hash->textbook->name) != 0)
			continue;
		else if (info.usable)
			test_many(hash, info.name);
		else
			test_unavailable("%s: %s", info.algorithm, info.name);
	test_many(hash, NULL);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	for (size_t i = 0; i < TEST_COUNT(many_hashes); i++)
		test_every_kernel(&many_hashes[i]);
	for (size_t i = 0; i < TEST_COUNT(many_hashes); i++)
		test_many_free(&many_hashes[i]);
	return test_end();
}
