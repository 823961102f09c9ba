/* SPDX-License-Identifier: MIT */
#include "stamp.h"

#include <inttypes.h>
#include <string.h>

#include "escape.h"

#define NANOSECONDS 1000000000

/* Passes over text if the line goes on with it. */
static bool skip(const char **at, const char *text)
{
	size_t length = strlen(text);

	if (strncmp(*at, text, length) != 0)
		return false;
	*at += length;
	return true;
}

/* Reads decimal digits, at least one, up to a value of max. */
static bool take_number(const char **at, uint64_t max, uint64_t *value)
{
	const char *begin = *at;

	*value = 0;
	for (; **at >= '0' && **at <= '9'; ++*at) {
		uint64_t digit = (uint64_t)(**at - '0');

		if (*value > (max - digit) / 10)
			return false;
		*value = 10 * *value + digit;
	}
	return *at > begin;
}

/* "1700000000.123456789", or with a minus before it: then the seconds alone are negative. */
static bool take_time(const char **at, struct timespec *time)
{
	bool negative = skip(at, "-");
	uint64_t seconds, nanoseconds;
	const char *begin;

	if (!take_number(at, INT64_MAX, &seconds) || !skip(at, "."))
		return false;
	begin = *at;
	if (!take_number(at, NANOSECONDS - 1, &nanoseconds) || *at != begin + 9)
		return false;
	time->tv_sec = (time_t)seconds;
	if (time->tv_sec < 0 || (uint64_t)time->tv_sec != seconds) /* too large here */
		return false;
	if (negative)
		time->tv_sec = -time->tv_sec;
	time->tv_nsec = (long)nanoseconds;
	return true;
}

char *stamp_parse(char *line, size_t length, struct stamp *stamp)
{
	const char *at = line;
	char *name;

	line[length] = '\0';
	if (!skip(&at, "# blocksha: size=") || !take_number(&at, UINT64_MAX, &stamp->size) ||
	    !skip(&at, " time=") || !take_time(&at, &stamp->time))
		return NULL;
	stamp->young = skip(&at, "?");
	if (!skip(&at, " name="))
		return NULL;
	name = line + (at - line);
	return escape_undo(name, line + length) ? name : NULL;
}

void stamp_write(FILE *out, const struct stamp *stamp, const char *name)
{
	bool negative = stamp->time.tv_sec < 0;
	uint64_t seconds = (uint64_t)stamp->time.tv_sec;

	fprintf(out, "# blocksha: size=%" PRIu64 " time=%s%" PRIu64 ".%09ld%s name=", stamp->size,
		negative ? "-" : "", negative ? -seconds : seconds, (long)stamp->time.tv_nsec,
		stamp->young ? "?" : "");
	escape_write(out, name);
	putc('\n', out);
}

bool stamp_equal(const struct stamp *one, const struct stamp *other)
{
	return one->size == other->size && one->time.tv_sec == other->time.tv_sec &&
	       one->time.tv_nsec == other->time.tv_nsec;
}

/* File systems keep time in steps: of two seconds, of one (then there are no nanoseconds), or of a
   tick of the kernel, 10 ms at most. */
bool stamp_is_young(const struct timespec *time, const struct timespec *now)
{
	int64_t step = time->tv_nsec == 0 ? 2 * (int64_t)NANOSECONDS : NANOSECONDS / 50;
	int64_t age;

	if (now->tv_sec - time->tv_sec > 2)
		return false;
	if (now->tv_sec < time->tv_sec)
		return true;
	age = (int64_t)(now->tv_sec - time->tv_sec) * NANOSECONDS + now->tv_nsec - time->tv_nsec;
	return age <= step;
}
