/* SPDX-License-Identifier: MIT */
/*
 * git_files.h - files of git for tests: as git wrote them (expected/git_files.h), in memory, and
 * what is found in them.
 */
#ifndef BLOCKSHA_TEST_GIT_FILES_H
#define BLOCKSHA_TEST_GIT_FILES_H

#include "../git/loose.h"
#include "../git/pack.h"

/* Contents are lines of hexadecimal digits, NULL behind the last one. */
struct expected_git_pack {
	const char *name;
	enum blocksha_git_format format;
	size_t pack_size;
	const char *const *pack;
	size_t idx_size;
	const char *const *idx;
};

struct expected_git_loose {
	const char *path;
	size_t size;
	const char *const *data;
};

#include "expected/git_files.h"

struct test_bytes {
	unsigned char *data;
	size_t size;
};

static inline struct test_bytes test_bytes_of(const char *const *lines, size_t size)
{
	struct test_bytes bytes = {malloc(size + 1), 0};

	TEST_REQUIRE(bytes.data != NULL, "malloc");
	for (; *lines != NULL; lines++) {
		test_from_hex(bytes.data + bytes.size, *lines, strlen(*lines) / 2);
		bytes.size += strlen(*lines) / 2;
	}
	TEST_REQUIRE(bytes.size == size, "the size of a file");
	return bytes;
}

/* What was found: how many of each kind in a file, the last finding of each, and all texts. */
struct test_findings {
	unsigned kinds[BLOCKSHA_GIT_KINDS];
	char texts[BLOCKSHA_GIT_KINDS][256];
	char all[4096]; /* a line each */
	unsigned char names[BLOCKSHA_GIT_KINDS][BLOCKSHA_GIT_MAX_NAME_SIZE];
	uint64_t offsets[BLOCKSHA_GIT_KINDS];
	uint64_t objects; /* that were listed */
};

static inline void test_take_finding(void *context, const struct blocksha_git_finding *finding)
{
	struct test_findings *findings = context;
	enum blocksha_git_kind kind = finding->kind;

	findings->kinds[kind]++;
	snprintf(findings->texts[kind], sizeof(findings->texts[kind]), "%s", finding->text);
	strncat(findings->all, finding->text, sizeof(findings->all) - strlen(findings->all) - 1);
	strncat(findings->all, "\n", sizeof(findings->all) - strlen(findings->all) - 1);
	findings->offsets[kind] = finding->offset;
	if (finding->name != NULL)
		memcpy(findings->names[kind], finding->name,
		       blocksha_git_name_size(finding->format));
}

static inline void test_take_object(void *context, const struct blocksha_git_object *object)
{
	struct test_findings *findings = context;

	(void)object;
	findings->objects++;
}

/* Whether there is a finding with that text, whatever its kind. */
static inline bool test_has_text(const struct test_findings *findings, const char *text)
{
	size_t size = strlen(text);

	for (const char *line = findings->all; (line = strstr(line, text)) != NULL; line++)
		if ((line == findings->all || line[-1] == '\n') && line[size] == '\n')
			return true;
	return false;
}

/* The number of findings that are no notes. */
static inline unsigned test_faults(const struct test_findings *findings)
{
	unsigned faults = 0;

	for (int kind = 0; kind < BLOCKSHA_GIT_KINDS; kind++)
		if (kind != BLOCKSHA_GIT_NOTE)
			faults += findings->kinds[kind];
	return faults;
}

/* Verifies a pack in memory, with its index unless idx is NULL; what is found about each of them
   goes into one of the two findings. */
static inline void test_verify_pack(const struct blocksha_git_options *base, const void *pack,
				    size_t pack_size, const void *idx, size_t idx_size,
				    struct test_findings *in_pack, struct test_findings *in_idx)
{
	struct blocksha_git_options options[2] = {*base, *base};
	struct git_report reports[2];
	struct git_file files[2];

	memset(in_pack, 0, sizeof(*in_pack));
	memset(in_idx, 0, sizeof(*in_idx));
	for (int i = 0; i < 2; i++) {
		options[i].context = i == 0 ? in_pack : in_idx;
		options[i].report = test_take_finding;
		options[i].object = test_take_object;
		blocksha_git_report_begin(&reports[i], &options[i], i == 0 ? "a.pack" : "a.idx");
	}
	blocksha_git_file_in_memory(&files[0], "a.pack", pack, pack_size);
	blocksha_git_file_in_memory(&files[1], "a.idx", idx, idx_size);
	blocksha_git_pack_verify(&files[0], &reports[0], idx != NULL ? &files[1] : NULL,
				 idx != NULL ? &reports[1] : NULL, false);
	blocksha_git_report_end(&reports[0]);
	blocksha_git_report_end(&reports[1]);
}

static inline void test_verify_loose(const struct blocksha_git_options *base, const char *path,
				     const void *data, size_t size, struct test_findings *findings)
{
	struct blocksha_git_options options = *base;
	struct git_report report;
	struct git_file file;

	memset(findings, 0, sizeof(*findings));
	options.context = findings;
	options.report = test_take_finding;
	blocksha_git_report_begin(&report, &options, path);
	blocksha_git_file_in_memory(&file, path, data, size);
	blocksha_git_loose_verify(&file, &report);
	blocksha_git_report_end(&report);
}

#endif
