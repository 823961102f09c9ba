/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocksha.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "status.h"
#include "version.h"

#define VARIABLE "BLOCKSHA_KERNEL"

enum {
	OPTION_JSON = OPTION_WITHOUT_LETTER,
	OPTION_SELF_TEST,
	OPTION_HELP,
	OPTION_VERSION,
};

static const struct option_row option_rows[] = {
	{OPTION_SELF_TEST, "self-test", NULL, "run each usable kernel against the portable one",
	 true},
	{OPTION_JSON, "json", NULL, "write an object a line", true},
	{OPTION_HELP, "help", NULL, "print this help and exit", true},
	{OPTION_VERSION, "version", NULL, "print the version and exit", true},
	OPTION_ROWS_END,
};

const struct option_row *kernels_option_rows(void)
{
	return option_rows;
}

struct kernels_options {
	bool json;
	bool self_test;
};

static void print_help(void)
{
	fputs("Usage: blocksha kernels [OPTION]...\n"
	      "List the compression functions of this build, what this machine can run of them,\n"
	      "and which are in use.\n\n",
	      stdout);
	options_help(stdout, option_rows, false);
	fputs("\nThe environment variable " VARIABLE
	      " forces kernels: sha1:x86-avx2,sha256:portable\n"
	      "Exit code: 0 all well, 1 a kernel failed its test, 2 wrong usage.\n",
	      stdout);
}

/* Whether the variable names the kernel. */
static bool is_forced(const struct blocksha_kernel_info *kernel)
{
	size_t split = strlen(kernel->algorithm), length = split + 1 + strlen(kernel->name);

	for (const char *item = getenv(VARIABLE); item != NULL && *item != '\0';) {
		size_t end = strcspn(item, ",");

		if (end == length && strncmp(item, kernel->algorithm, split) == 0 &&
		    strncmp(item + split + 1, kernel->name, length - split - 1) == 0)
			return true;
		item += end + (item[end] == ',');
	}
	return false;
}

/* Why the kernel is used, or is not. */
static void print_reason(const struct blocksha_kernel_info *kernel)
{
	if (!kernel->compiled)
		fputs("not compiled for this CPU", stdout);
	else if (!kernel->usable)
		printf("needs %s", kernel->missing);
	else if (!kernel->selected)
		fputs("usable", stdout);
	else if (is_forced(kernel))
		fputs("selected: forced by " VARIABLE, stdout);
	else
		fputs(kernel->lanes > 1 ? "selected: many messages" : "selected: the best here",
		      stdout);
}

static void print_text(const struct blocksha_kernel_info *kernel, const char *tested)
{
	printf("%-14s %-24s %5u  ", kernel->algorithm, kernel->name, kernel->lanes);
	print_reason(kernel);
	if (tested != NULL)
		printf(", self-test %s", tested);
	putchar('\n');
}

static void print_json(const struct blocksha_kernel_info *kernel, const char *tested)
{
	struct json json;

	json_begin(&json, stdout);
	json_string(&json, "algorithm", kernel->algorithm);
	json_string(&json, "name", kernel->name);
	json_number(&json, "lanes", kernel->lanes);
	json_boolean(&json, "compiled", kernel->compiled != 0);
	json_boolean(&json, "usable", kernel->usable != 0);
	if (kernel->missing != NULL)
		json_string(&json, "missing", kernel->missing);
	else
		json_null(&json, "missing");
	json_boolean(&json, "selected", kernel->selected != 0);
	if (tested != NULL)
		json_string(&json, "self_test", tested);
	json_end(&json);
}

/* Prints the rows. Returns whether no kernel failed, and one was tested when that was asked. */
static bool print_kernels(const struct kernels_options *options)
{
	struct blocksha_kernel_info kernel;
	size_t passed = 0, failed = 0;

	if (!options->json)
		printf("%-14s %-24s %5s  %s\n", "algorithm", "kernel", "lanes", "state");
	for (size_t i = 0; blocksha_get_kernel_info(i, &kernel) == BLOCKSHA_OK; i++) {
		const char *tested = NULL;

		if (options->self_test && kernel.usable) {
			bool well = blocksha_kernel_test(i) == BLOCKSHA_OK;

			tested = well ? "passed" : "FAILED";
			passed += well;
			failed += !well;
			if (!well)
				message("kernel %s:%s gives wrong results on this machine",
					kernel.algorithm, kernel.name);
		}
		if (options->json)
			print_json(&kernel, tested);
		else
			print_text(&kernel, tested);
	}
	return failed == 0 && (passed > 0 || !options->self_test);
}

int kernels_main(int argc, char **argv)
{
	struct kernels_options options = {false, false};
	int code;

	while ((code = options_next(argc, argv, option_rows, false)) != -1) {
		switch (code) {
		case OPTION_JSON:
			options.json = true;
			break;
		case OPTION_SELF_TEST:
			options.self_test = true;
			break;
		case OPTION_HELP:
			print_help();
			return STATUS_OK;
		case OPTION_VERSION:
			version_print();
			return STATUS_OK;
		default:
			message_try_help();
			return STATUS_USAGE;
		}
	}
	if (optind < argc) {
		message_about(argv[optind], "no argument is expected");
		message_try_help();
		return STATUS_USAGE;
	}
	return print_kernels(&options) ? STATUS_OK : STATUS_FAILED;
}

bool kernels_from_environment(void)
{
	const char *list = getenv(VARIABLE);
	struct blocksha_kernel_info kernel;

	if (list == NULL || blocksha_force_kernels(list) == BLOCKSHA_OK)
		return true;
	message_about(list, "unknown or unusable kernel in " VARIABLE "; usable here:");
	for (size_t i = 0; blocksha_get_kernel_info(i, &kernel) == BLOCKSHA_OK; i++)
		if (kernel.usable)
			message("  %s:%s", kernel.algorithm, kernel.name);
	return false;
}
