/* SPDX-License-Identifier: MIT */
/* test_many.c - many messages in one call, with every kernel that this machine can run. */
#include "many_template.h"

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	for (size_t i = 0; i < TEST_COUNT(many_hashes); i++)
		test_many(&many_hashes[i], true);
	for (size_t i = 0; i < TEST_COUNT(many_hashes); i++)
		test_many_free(&many_hashes[i]);
	return test_end();
}
