/* SPDX-License-Identifier: MIT */
#include "git_options.h"

#include <string.h>

#include "message.h"

/* Decimal digits; returns the first character that is none, or NULL: no digit, or too large. */
static const char *parse_number(const char *text, uint64_t *number)
{
	const char *begin = text;

	*number = 0;
	for (; *text >= '0' && *text <= '9'; text++) {
		unsigned digit = (unsigned)(*text - '0');

		if (*number > (UINT64_MAX - digit) / 10)
			return NULL;
		*number = *number * 10 + digit;
	}
	return text != begin ? text : NULL;
}

bool git_parse_bytes(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	const char *rest = parse_number(text, bytes), *unit;
	unsigned shift = 0;

	if (rest != NULL && *rest != '\0' && (unit = strchr(units, *rest)) != NULL) {
		shift = 10 * (unsigned)(unit - units + 1);
		rest++;
	}
	if (rest == NULL || *rest != '\0' || *bytes == 0 || *bytes > UINT64_MAX >> shift) {
		message_about(text, "not a number of bytes, with K, M, G or T behind it or not");
		return false;
	}
	*bytes <<= shift;
	return true;
}

bool git_parse_format(const char *text, enum blocksha_git_format *format)
{
	if (strcmp(text, "sha1") == 0) {
		*format = BLOCKSHA_GIT_SHA1;
	} else if (strcmp(text, "sha256") == 0) {
		*format = BLOCKSHA_GIT_SHA256;
	} else {
		message_about(text, "unknown object format; known are sha1 and sha256");
		return false;
	}
	return true;
}

/* A number from 1 to most. */
static bool parse_count(const char *text, unsigned most, unsigned *count)
{
	uint64_t number;
	const char *rest = parse_number(text, &number);

	if (rest == NULL || *rest != '\0' || number < 1 || number > most)
		return false;
	*count = (unsigned)number;
	return true;
}

bool git_parse_jobs(const char *text, unsigned *jobs)
{
	bool good = parse_count(text, 1024, jobs);

	if (!good)
		message_about(text, "not a number of jobs from 1 to 1024");
	return good;
}

bool git_parse_findings(const char *text, unsigned *findings)
{
	bool good = parse_count(text, 1000000, findings);

	if (!good)
		message_about(text, "not a number of findings from 1 to 1000000");
	return good;
}
