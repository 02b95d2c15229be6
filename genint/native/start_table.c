/* The gene finder's table of start codons as columns; see genint/native/start_table.py. */

#include <stdint.h>
#include <string.h>

#include "export.h"

enum {
    CELLS = 13,
    REALS = 6,
    WORDS = 3,
    FIRST_SCORE = 3, /* cells 3 to 5, and 9 to 11 behind the words */
    FIRST_WORD = 6,
    MOST_DIGITS = 15, /* a whole number of so many is exact as a fraction */
    COMPARED = 64     /* words that a new one is compared with */
};

typedef struct {
    const char *begin;
    const char *end;
} Cell;

static const double POWERS[MOST_DIGITS + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* A decimal fraction, rounded as one division of two exact numbers is; 0 where it is none. */
static int real_of(Cell cell, double *value)
{
    const char *at = cell.begin;
    int negative = at < cell.end && *at == '-';
    int64_t whole = 0;
    int digits = 0;
    int behind = -1;
    for (at += negative; at < cell.end; at++) {
        if (*at == '.' && behind < 0) {
            behind = 0;
            continue;
        }
        if (*at < '0' || *at > '9' || ++digits > MOST_DIGITS)
            return 0;
        whole = 10 * whole + (*at - '0');
        behind += behind >= 0;
    }
    *value = (double)whole / POWERS[behind > 0 ? behind : 0];
    if (negative)
        *value = -*value;
    return digits > 0;
}

/* The number of a word: that of an equal one where one is among the first, else the next. */
static int64_t word_of(Cell cell, const char *text, int64_t *spans, int64_t *count)
{
    int64_t length = cell.end - cell.begin;
    int64_t compared = *count < COMPARED ? *count : COMPARED;
    for (int64_t i = 0; i < compared; i++) {
        const int64_t *span = spans + 2 * i;
        if (span[1] - span[0] == length && !memcmp(text + span[0], cell.begin, (size_t)length))
            return i;
    }
    spans[2 * *count] = cell.begin - text;
    spans[2 * *count + 1] = cell.end - text;
    return (*count)++;
}

/* Cut a line; 0 where it has not as many cells as it should. */
static int cut(const char *at, const char *end, Cell *cells)
{
    int number = 0;
    cells[0].begin = at;
    for (; at < end; at++) {
        if (*at != '\t')
            continue;
        if (number == CELLS - 1)
            return 0;
        cells[number].end = at;
        cells[++number].begin = at + 1;
    }
    cells[number].end = end;
    return number == CELLS - 1;
}

/* Columns of `most` items each: the first and the last base and the strand in `places`, scores in
 * `scores`, numbers of words in `words`. `spans` has room for the ends of three words a row;
 * `word_count` says how many there are. Lines without text, and those whose codon is `left_out`,
 * are no rows. How many rows there are; -1: a line is none of such a table. */
EXPORT int64_t genint_start_table(const char *text, int64_t length, int64_t most,
                                  const char *left_out, int64_t *places, double *scores,
                                  int64_t *words, int64_t *spans, int64_t *word_count)
{
    const char *stop = text + length;
    size_t left_out_length = strlen(left_out);
    int64_t row = 0;
    *word_count = 0;
    for (const char *line = text; line < stop;) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        if (!end)
            end = stop;
        const char *begin = line;
        line = end + 1;
        if (begin == end)
            continue;
        Cell cells[CELLS];
        double first, last;
        if (row == most || !cut(begin, end, cells) || !real_of(cells[0], &first) ||
            !real_of(cells[1], &last))
            return -1;
        Cell codon = cells[FIRST_WORD];
        if ((size_t)(codon.end - codon.begin) == left_out_length &&
            !memcmp(codon.begin, left_out, left_out_length))
            continue;
        places[row] = (int64_t)first;
        places[most + row] = (int64_t)last;
        places[2 * most + row] = *cells[2].begin == '+' ? 1 : -1;
        for (int i = 0; i < REALS; i++) {
            int cell = FIRST_SCORE + i + (i < WORDS ? 0 : WORDS);
            if (!real_of(cells[cell], scores + i * most + row))
                return -1;
        }
        for (int i = 0; i < WORDS; i++)
            words[i * most + row] = word_of(cells[FIRST_WORD + i], text, spans, word_count);
        row++;
    }
    return row;
}
