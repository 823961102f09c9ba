/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "git_standin.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "blocksha.h"
#include "blocksha_byteorder.h"

/* --- The table ------------------------------------------------------------------------ */

/* Names come from a stream that may have been made to fall into one slot: the hash has keys
   that its author does not know. */
static void make_secret(uint64_t *secret, size_t count)
{
	unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE];
	blocksha_sha256_ctx ctx;
	unsigned char seed[32] = {0};
	struct timespec now = {0};
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!read(fd, seed, sizeof(seed));
		close(fd);
	}
	clock_gettime(CLOCK_REALTIME, &now);
	for (size_t i = 0; i < count; i++) {
		blocksha_sha256_init(&ctx);
		blocksha_sha256_update(&ctx, seed, sizeof(seed));
		blocksha_sha256_update(&ctx, &now, sizeof(now));
		blocksha_sha256_update(&ctx, &i, sizeof(i));
		(void)blocksha_sha256_final(&ctx, digest);
		secret[i] = blocksha_get_le64(digest);
	}
}

void standins_init(struct standins *table)
{
	memset(table, 0, sizeof(*table));
	make_secret(table->secret, sizeof(table->secret) / sizeof(table->secret[0]));
}

void standins_free(struct standins *table)
{
	free(table->names);
	free(table->slots);
	memset(table, 0, sizeof(*table));
}

/* The high half of a sum of products with random keys is strongly universal: Lemire and Kaser,
   "Strongly universal string hashing is fast" (2014), after Carter and Wegman (1979). */
static size_t first_slot(const struct standins *table, const struct standin_name *name)
{
	uint64_t sum = name->size * table->secret[STANDIN_SIZE / 4];

	for (size_t i = 0; i < STANDIN_SIZE / 4; i++)
		sum += blocksha_get_le32(name->bytes + 4 * i) * table->secret[i];
	return (size_t)(sum >> 32) & (table->slot_count - 1);
}

static bool is_same(const struct standin_name *one, const struct standin_name *other)
{
	return one->size == other->size && memcmp(one->bytes, other->bytes, STANDIN_SIZE) == 0;
}

/* The slot that holds the name, or the empty one where it belongs. */
static uint32_t *find_slot(const struct standins *table, const struct standin_name *name)
{
	size_t at = first_slot(table, name);

	while (table->slots[at] != 0 && !is_same(&table->names[table->slots[at] - 1], name))
		at = (at + 1) & (table->slot_count - 1);
	return &table->slots[at];
}

static bool grow_names(struct standins *table)
{
	size_t room = table->room == 0 ? 256 : table->room + table->room / 2;
	struct standin_name *names = NULL;

	if (room <= SIZE_MAX / sizeof(*names))
		names = realloc(table->names, room * sizeof(*names));
	if (names == NULL)
		return false;
	table->names = names;
	table->room = room;
	return true;
}

/* At most three quarters of the slots are full. */
static bool grow_slots(struct standins *table)
{
	size_t slot_count = table->slot_count == 0 ? 512 : 2 * table->slot_count;
	uint32_t *slots = NULL;

	if (slot_count <= SIZE_MAX / sizeof(*slots))
		slots = calloc(slot_count, sizeof(*slots));
	if (slots == NULL)
		return false;
	free(table->slots);
	table->slots = slots;
	table->slot_count = slot_count;
	for (size_t i = 0; i < table->count; i++)
		*find_slot(table, &table->names[i]) = (uint32_t)i + 1;
	return true;
}

uint32_t standins_number(struct standins *table, const unsigned char *name, size_t size)
{
	struct standin_name wanted = {.size = (unsigned char)size};
	uint32_t *slot;

	memcpy(wanted.bytes, name, size);
	if (table->count >= table->slot_count / 4 * 3 && !grow_slots(table))
		return 0;
	slot = find_slot(table, &wanted);
	if (*slot != 0)
		return *slot;
	if (table->count == UINT32_MAX || (table->count == table->room && !grow_names(table)))
		return 0;
	table->names[table->count++] = wanted;
	*slot = (uint32_t)table->count;
	return *slot;
}

/* --- The text ------------------------------------------------------------------------- */

void standin_write(char *hex, uint32_t number, size_t size)
{
	static const char digits[] = "0123456789abcdef";

	memset(hex, '0', 2 * size);
	for (size_t i = 1; i <= 8; i++, number >>= 4)
		hex[2 * size - i] = digits[number & 15];
}

/* Whether text is "NAME STAND-IN\n" for the next number. */
static bool take_line(struct standins *table, const char *text, size_t length)
{
	size_t size = (length - 2) / 4;
	unsigned char name[STANDIN_SIZE];
	char expected[2 * STANDIN_SIZE];
	uint32_t number = (uint32_t)(table->count + 1);

	if ((length != 4 * 20 + 2 && length != 4 * 32 + 2) || text[2 * size] != ' ' ||
	    text[length - 1] != '\n' || blocksha_hex_decode(name, text, size) != BLOCKSHA_OK)
		return false;
	standin_write(expected, number, size);
	if (memcmp(expected, text + 2 * size + 1, 2 * size) != 0)
		return false;
	return standins_number(table, name, size) == number;
}

uint64_t standins_load(struct standins *table, FILE *file)
{
	char text[4 * STANDIN_SIZE + 4];
	uint64_t line = 0;

	while (fgets(text, sizeof(text), file) != NULL) {
		line++;
		if (!take_line(table, text, strlen(text)))
			return line;
	}
	return 0;
}

void standins_save(const struct standins *table, FILE *file)
{
	char text[4 * STANDIN_SIZE + 2];

	for (size_t i = 0; i < table->count; i++) {
		size_t size = table->names[i].size;

		blocksha_hex_encode(text, table->names[i].bytes, size);
		text[2 * size] = ' ';
		standin_write(text + 2 * size + 1, (uint32_t)i + 1, size);
		text[4 * size + 1] = '\n';
		fwrite(text, 1, 4 * size + 2, file);
	}
}
