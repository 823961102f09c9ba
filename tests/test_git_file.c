/* SPDX-License-Identifier: MIT */
/*
 * test_git_file.c - files that change while they are read, and reads that give less than was asked
 * for. pread is this program's own.
 */
#include "test.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <utime.h>

#include "git_files.h"

/* --- Reads --------------------------------------------------------------------------- */

static bool short_reads;
static void (*before_read)(uint64_t offset); /* or NULL */

/* With short_reads a few bytes at a time, and every second read is interrupted. */
ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
{
	static unsigned calls;

	if (before_read != NULL)
		before_read((uint64_t)offset);
	if (short_reads && ++calls % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	if (short_reads && size > 1)
		size = 1 + test_random_below(size < 100 ? size : 100);
	return (ssize_t)syscall(SYS_pread64, fd, buffer, size, offset);
}

/* --- Files ---------------------------------------------------------------------------- */

static struct test_bytes pack, idx;

static void write_file(const char *path, const void *data, size_t size)
{
	FILE *file = fopen(path, "wb");

	TEST_REQUIRE(file != NULL, path);
	TEST_REQUIRE(fwrite(data, 1, size, file) == size, path);
	TEST_REQUIRE(fclose(file) == 0, path);
}

static void write_pair(void)
{
	write_file("a.pack", pack.data, pack.size);
	write_file("a.idx", idx.data, idx.size);
}

static int verify(struct test_findings *found)
{
	struct blocksha_git_options options = {.jobs = 1, .context = found};

	memset(found, 0, sizeof(*found));
	options.report = test_take_finding;
	options.object = test_take_object;
	return blocksha_git_verify("a.pack", &options);
}

static void reads(void)
{
	struct test_findings found;

	write_pair();
	short_reads = true;
	CHECK_INT(verify(&found), BLOCKSHA_OK, "reads of few bytes: %s", found.all);
	pack.data[100] ^= 1;
	write_pair();
	CHECK_INT(verify(&found), BLOCKSHA_GIT_BAD, "and a damaged pack");
	CHECK(found.kinds[BLOCKSHA_GIT_CHANGED] + found.kinds[BLOCKSHA_GIT_UNREADABLE] == 0,
	      "and a damaged pack: %s", found.all);
	pack.data[100] ^= 1;
	short_reads = false;
}

/* --- Changes ---------------------------------------------------------------------------- */

static void cut(uint64_t offset)
{
	if (offset > 0)
		TEST_REQUIRE(truncate("a.pack", 200) == 0, "truncate");
}

/* In place, with a later time. */
static void write_over(uint64_t offset)
{
	struct utimbuf later = {2000000000, 2000000000};
	FILE *file;

	if (offset == 0)
		return;
	file = fopen("a.pack", "r+b");
	TEST_REQUIRE(file != NULL && fseek(file, 60, SEEK_SET) == 0 && fputc('x', file) == 'x' &&
			     fclose(file) == 0 && utime("a.pack", &later) == 0,
		     "a.pack");
}

static void replace(uint64_t offset)
{
	if (offset > 0)
		return;
	write_file("b.pack", pack.data, pack.size);
	TEST_REQUIRE(rename("b.pack", "a.pack") == 0, "rename");
}

static void vanish(uint64_t offset)
{
	(void)offset;
	remove("a.pack");
}

static void vanish_both(uint64_t offset)
{
	(void)offset;
	remove("a.pack");
	remove("a.idx");
}

static void changes(void)
{
	static const struct {
		const char *what;
		void (*change)(uint64_t offset);
		bool good; /* what was read was all of the old file */
	} rows[] = {
		{"cut", cut, false},
		{"written over", write_over, false},
		{"replaced", replace, true},
		{"removed", vanish, true},
		{"removed with its index", vanish_both, true},
	};

	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		for (unsigned damaged = 0; damaged < 2; damaged++) {
			bool good = rows[i].good && !damaged;
			struct test_findings found;
			int result;

			pack.data[70] ^= (unsigned char)damaged;
			write_pair();
			before_read = rows[i].change;
			result = verify(&found);
			before_read = NULL;
			pack.data[70] ^= (unsigned char)damaged;
			CHECK_INT(result, good ? BLOCKSHA_OK : BLOCKSHA_GIT_BAD, "%s, damaged: %u",
				  rows[i].what, damaged);
			/* Never is it called damage. */
			CHECK_INT(test_faults(&found), found.kinds[BLOCKSHA_GIT_CHANGED],
				  "%s, damaged: %u: %s", rows[i].what, damaged, found.all);
			CHECK(good == (found.kinds[BLOCKSHA_GIT_CHANGED] == 0), "%s, damaged: %u",
			      rows[i].what, damaged);
			if (good)
				CHECK(found.kinds[BLOCKSHA_GIT_NOTE] > 0, "%s: a note",
				      rows[i].what);
		}
	}
}

/* --- What is no file --------------------------------------------------------------------- */

static void no_files(void)
{
	struct git_report report;
	struct blocksha_git_options options = {.format = BLOCKSHA_GIT_INFER};
	struct test_findings found;
	struct git_file file;

	options.context = &found;
	options.report = test_take_finding;
	remove("a.pack");
	CHECK_INT(verify(&found), BLOCKSHA_GIT_BAD, "absent");
	CHECK_INT(found.kinds[BLOCKSHA_GIT_UNREADABLE], 1, "absent");

	memset(&found, 0, sizeof(found));
	blocksha_git_report_begin(&report, &options, "a.pack");
	CHECK(!blocksha_git_file_open(&file, "a.pack", true, &report), "vanished");
	CHECK_INT(blocksha_git_report_end(&report), BLOCKSHA_GIT_BAD, "vanished");
	CHECK_INT(found.kinds[BLOCKSHA_GIT_CHANGED], 1, "vanished: %s", found.all);

	TEST_REQUIRE(mkfifo("a.pack", 0600) == 0, "mkfifo");
	CHECK_INT(verify(&found), BLOCKSHA_GIT_BAD, "a FIFO");
	CHECK_INT(found.kinds[BLOCKSHA_GIT_UNREADABLE], 1, "a FIFO");
	remove("a.pack");
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/blocksha-test-XXXXXX";

	test_begin(argc, argv);
	TEST_REQUIRE(mkdtemp(folder) != NULL && chdir(folder) == 0, folder);
	pack = test_bytes_of(expected_git_packs[0].pack, expected_git_packs[0].pack_size);
	idx = test_bytes_of(expected_git_packs[0].idx, expected_git_packs[0].idx_size);
	TEST_RUN(reads);
	TEST_RUN(changes);
	TEST_RUN(no_files);
	remove("a.idx");
	free(pack.data);
	free(idx.data);
	TEST_REQUIRE(chdir("/") == 0 && rmdir(folder) == 0, folder);
	return test_end();
}
