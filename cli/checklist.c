/* SPDX-License-Identifier: MIT */
#include "checklist.h"

#include <string.h>

#include "base64.h"
#include "escape.h"
#include "foreign.h"

/* Below, a line is always followed by the NUL that checklist_parse puts there: every loop over
   its characters ends at the latest at that one. */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static char *skip_blanks(char *text)
{
	while (is_blank(*text))
		text++;
	return text;
}

/* --- Names ------------------------------------------------------------------------ */

/* Ends the name at end, and unescapes it if it is escaped. */
static bool take_name(struct checklist_entry *entry, char *name, char *end, bool escaped)
{
	*end = '\0';
	entry->name = name;
	return !escaped || escape_undo(name, end);
}

/* --- Algorithms and digests ------------------------------------------------------- */

/* Whether the length characters at text are what a tag of the algorithm may be. */
static bool has_tag(const struct checklist *list, const struct digest_algorithm *algorithm,
		    const char *text, size_t length)
{
	/* OpenSSL 3 calls SHA-256 so. */
	static const char openssl[] = "SHA2-256";

	if (strlen(algorithm->tag) == length && memcmp(algorithm->tag, text, length) == 0)
		return true;
	return !list->as_coreutils && algorithm->id == DIGEST_SHA256 && length == strlen(openssl) &&
	       memcmp(openssl, text, length) == 0;
}

/* Sets the entry's algorithm, or what is known of a foreign one. */
static bool take_tag(const struct checklist *list, struct checklist_entry *entry, const char *text,
		     size_t length)
{
	const struct digest_set *set = list->algorithms;

	for (size_t i = 0; i < set->count; i++) {
		entry->algorithm = set->algorithms[i];
		if (has_tag(list, entry->algorithm, text, length))
			return true;
	}
	entry->algorithm = NULL;
	entry->foreign = text;
	entry->foreign_size = list->as_coreutils ? 0 : foreign_size_of_tag(text, length);
	return entry->foreign_size > 0;
}

static bool decode_hex(unsigned char *bytes, size_t size, const char *text, size_t length)
{
	return length == 2 * size && blocksha_hex_decode(bytes, text, size) == BLOCKSHA_OK;
}

/* Reads all length characters of text as a digest of the entry's algorithm. */
static bool take_digest(const struct checklist *list, struct checklist_entry *entry,
			const char *text, size_t length)
{
	unsigned char foreign[FOREIGN_MAX_SIZE];
	bool is_ours = entry->algorithm != NULL;
	unsigned char *bytes = is_ours ? entry->digest.bytes : foreign;
	size_t size = is_ours ? entry->algorithm->size : entry->foreign_size;
	bool canonical = true;

	if (decode_hex(bytes, size, text, length))
		return true;
	if (list->as_coreutils || !base64_decode(bytes, size, text, length, &canonical))
		return false;
	entry->matches_nothing = !canonical;
	return true;
}

/* Reads the same where no tag tells the algorithm, but the length. */
static bool take_untagged_digest(const struct checklist *list, struct checklist_entry *entry,
				 const char *text, size_t length)
{
	const struct digest_set *set = list->algorithms;
	unsigned char foreign[FOREIGN_MAX_SIZE];

	for (size_t i = 0; i < set->count; i++) {
		entry->algorithm = set->algorithms[i];
		if (take_digest(list, entry, text, length))
			return true;
	}
	entry->algorithm = NULL;
	if (list->as_coreutils)
		return false;
	entry->foreign_size = foreign_size_of_digits(length);
	return entry->foreign_size > 0 && decode_hex(foreign, entry->foreign_size, text, length);
}

/* --- Lines -------------------------------------------------------------------------- */

/* "NAME) = HEX": what follows a tag and its parenthesis. The last parenthesis ends the name. */
static bool parse_tagged(const struct checklist *list, struct checklist_entry *entry, char *text,
			 char *end, bool escaped)
{
	char *name = text;
	char *close = end;

	do {
		if (close == name)
			return false;
	} while (*--close != ')');

	text = skip_blanks(close + 1);
	if (*text != '=')
		return false;
	text = skip_blanks(text + 1);
	return take_digest(list, entry, text, strlen(text)) &&
	       take_name(entry, name, close, escaped);
}

/* A digest alone. */
static bool parse_nameless(const struct checklist *list, struct checklist_entry *entry,
			   bool escaped)
{
	if (escaped || list->as_coreutils || entry->algorithm == NULL ||
	    entry->algorithm != list->owner_algorithm)
		return false;
	entry->name = list->owner;
	entry->is_owner = true;
	return true;
}

/* "HEX  NAME", "HEX *NAME", "HEX NAME" or "HEX". */
static bool parse_untagged(struct checklist *list, struct checklist_entry *entry, char *text,
			   char *end, bool escaped)
{
	size_t length = strcspn(text, " \t");
	char *name = text + length + 1;

	if (!take_untagged_digest(list, entry, text, length))
		return false;
	if (text + length == end)
		return parse_nameless(list, entry, escaped);
	if (!is_blank(text[length]) || name == end)
		return false;

	if (end - name == 1 || (*name != ' ' && *name != '*')) {
		if (list->form == CHECKLIST_FORM_GNU)
			return false;
		list->form = CHECKLIST_FORM_REVERSED;
	} else if (list->form != CHECKLIST_FORM_REVERSED) {
		list->form = CHECKLIST_FORM_GNU;
		name++;
	}
	return take_name(entry, name, end, escaped);
}

/* The parenthesis of "TAG (NAME" or "TAG(NAME"; NULL when there is none. */
static char *find_parenthesis(char *text, size_t *tag_length)
{
	*tag_length = strcspn(text, " (");
	text += *tag_length;
	if (*text == ' ')
		text++;
	return *text == '(' ? text : NULL;
}

static bool parse_entry(struct checklist *list, struct checklist_entry *entry, char *text,
			char *end)
{
	size_t tag_length;
	char *parenthesis;
	bool escaped;

	text = skip_blanks(text);
	escaped = *text == '\\';
	if (escaped)
		text++;
	parenthesis = find_parenthesis(text, &tag_length);
	if (parenthesis == NULL || !take_tag(list, entry, text, tag_length)) {
		entry->foreign = NULL;
		return parse_untagged(list, entry, text, end, escaped);
	}
	entry->is_tagged = true;
	if (!parse_tagged(list, entry, parenthesis + 1, end, escaped))
		return false;
	text[tag_length] = '\0'; /* the end of entry->foreign */
	return true;
}

static enum checklist_kind parse_line(struct checklist *list, char *line, size_t length,
				      struct checklist_entry *entry)
{
	if (length == 0 || line[0] == '#')
		return CHECKLIST_NOTHING;
	*entry = (struct checklist_entry){0};
	/* Behind a NUL a name could say something that nobody verifies. */
	if (!list->as_coreutils && memchr(line, '\0', length) != NULL)
		return CHECKLIST_MALFORMED;
	line[length] = '\0';
	if (!parse_entry(list, entry, line, line + length))
		return CHECKLIST_MALFORMED;
	list->has_entries = true;
	return entry->algorithm != NULL ? CHECKLIST_ENTRY : CHECKLIST_UNSUPPORTED;
}

/* --- Around the lines --------------------------------------------------------------- */

static enum checklist_kind parse_framed(struct checklist *list, char *line, size_t length,
					struct checklist_entry *entry)
{
	bool signed_before = list->clearsign != CLEARSIGN_NONE;

	switch (clearsign_next(&list->clearsign, line, length)) {
	case CLEARSIGN_LINE_BEGIN:
		/* Who signed this did not sign entries that stand before all messages. */
		return list->has_entries && !signed_before ? CHECKLIST_SIGNED_LATE
							   : CHECKLIST_NOTHING;
	case CLEARSIGN_LINE_FRAME:
		return CHECKLIST_NOTHING;
	case CLEARSIGN_LINE_STRAY:
		return CHECKLIST_MALFORMED;
	case CLEARSIGN_LINE_ESCAPED:
		return parse_line(list, line + 2, length - 2, entry);
	case CLEARSIGN_LINE_PLAIN:
		break;
	}
	return parse_line(list, line, length, entry);
}

static bool begins_with(const char *line, size_t length, const char *bytes)
{
	size_t count = strlen(bytes);

	return length >= count && memcmp(line, bytes, count) == 0;
}

static enum checklist_kind parse_first(struct checklist *list, char *line, size_t length,
				       struct checklist_entry *entry)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (begins_with(line, length, "\xff\xfe") || begins_with(line, length, "\xfe\xff"))
		return CHECKLIST_UTF16;
	list->byte_order_mark = begins_with(line, length, mark);
	if (list->byte_order_mark) {
		line += strlen(mark);
		length -= strlen(mark);
	}
	return parse_framed(list, line, length, entry);
}

enum checklist_kind checklist_parse(struct checklist *list, char *line, size_t length,
				    struct checklist_entry *entry)
{
	bool is_first = !list->begun;

	list->begun = true;
	while (length > 0 && line[length - 1] == '\r') {
		length--;
		if (list->as_coreutils)
			break;
	}
	if (list->as_coreutils)
		return parse_line(list, line, length, entry);
	if (is_first)
		return parse_first(list, line, length, entry);
	return parse_framed(list, line, length, entry);
}

bool checklist_may_end(const struct checklist *list)
{
	return !clearsign_is_open(list->clearsign);
}

const struct digest_algorithm *checklist_owner(const char *list_name, size_t *length)
{
	const char *dot = strrchr(list_name, '.');

	/* ".sha256" alone, or in a folder, has no name before it. */
	if (dot == NULL || dot == list_name || dot[-1] == '/')
		return NULL;
	*length = (size_t)(dot - list_name);
	for (size_t i = 0; i < DIGEST_COUNT; i++)
		if (strcmp(dot + 1, digest_algorithms[i].name) == 0)
			return &digest_algorithms[i];
	return NULL;
}
