/* Which families may a protein belong to? The two inner loops of that question.
 *
 * Compiled by hatch_build.py into a library of plain functions, called through
 * genint/native/prefilter.py, which says what the arguments are. No function keeps
 * anything, prints, or reads beyond the arrays that it is given; all arithmetic that
 * decides is in whole numbers, or in doubles that are only added and compared, so that every
 * machine gives the same answer.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "vectors.h"

enum {
    RESIDUES = 20,
    GROUPS = 12,
    MEMBERS = 3, /* of a group at most */
    PAIRS = GROUPS * GROUPS, /* of groups: halves of words */
    PAIR_BITS = 64,
    PAIR_PARTS = (PAIRS + PAIR_BITS - 1) / PAIR_BITS,
    WORDS = PAIRS * PAIRS,
    PATTERNS = 2,
    PLACES = 4,  /* residues of a word */
    ROW = 24,    /* scores of one position: residues, unknown ones, and room */
    VECTOR = 16, /* bytes; a read of scores may reach so far behind the last */
    NEAR_FIRST = -8, /* the residues around a word that are compared first */
    NEAR_WIDTH = 24,
    SEGMENT_FIRST = -30, /* where an alignment without gaps may lie */
    SEGMENT_WIDTH = 66,
    MARGIN = 40, /* positions beside a family that score nothing; more than a window reaches */
    NO_SHARE = 255, /* steps of a probability of zero */
    NO_ODDS = -(1 << 14), /* of margins: no word reaches into one */
    TOGETHER = 16, /* places that are compared together */
    QUEUE = 1 << 10, /* places that are kept to be compared */
    WORDS_AT_ONCE = 192, /* whose places are looked up one after the other */
    SOME = 8, /* places of a word that are copied together: behind the last of all is room for so many */
    LANES = 8, /* alignments that are scored together */
    BLOCK = 1 << 14, /* positions at a time: what is worked out for them stays in the cache */
    KINDS = 26,
    ROOM = 24 /* residues, and as many more that two vectors of 16 bits are full */
};

/* What all families are scored with. Steps are of a logarithm: a probability has the more, the
 * smaller it is, and none has NO_SHARE. */
typedef struct {
    int32_t usual_steps[RESIDUES]; /* background of residues */
    int32_t least_score;           /* of a residue, steps; negative */
    int32_t least_near;            /* what the residues around a word need, steps */
    uint8_t members[MEMBERS][VECTOR];  /* residues of the groups; NO_SHARE stands for none */
    uint8_t usual_of_groups[VECTOR];   /* background of groups, steps */
    uint8_t less_together[VECTOR];     /* steps that the larger of two probabilities has more than
                                        * their sum, by how many steps they differ ... */
    int32_t coarseness;                /* ... in twos, fours or single ones: binary logarithm */
    uint8_t pattern[PATTERNS][PLACES]; /* places of the residues of a word */
} scoring;

/* The proteins, one behind the other with margins of unknown residues around each. */
typedef struct {
    const uint8_t *codes;     /* of residues; 20 where it is unknown */
    const int32_t *protein;   /* number of the protein at each place */
    const double *extra;      /* for each protein what a pair needs more, steps */
    int64_t proteins;
    const int32_t *starts[PATTERNS]; /* for each word of a pattern its first place in ... */
    const int32_t *places[PATTERNS]; /* ... the places of all words, by word */
} text;

/* Some of all pairs of groups, a bit each. */
typedef struct {
    uint64_t bits[PAIR_PARTS];
} pairs;

/* What is worked out for a block of families. A row is a position of one of them, or of the
 * margins before, between and behind them, which score nothing. */
typedef struct {
    int8_t (*scores)[ROW];   /* steps */
    int8_t (*odds)[VECTOR];  /* how much likelier each group is than anywhere, steps */
    int16_t *most;           /* the highest of them; in margins none */
    int32_t *family;         /* of the row, from the first of the block */
    int16_t *best;           /* [families][proteins]: score of the best alignment, steps */
    int queued;              /* places with a word of the row, to be compared: ... */
    int32_t queue[QUEUE + SOME + TOGETHER]; /* ... which */
    int waiting;             /* places in proteins that look alike a row, to be aligned ... */
    int32_t place[LANES];    /* ... which, */
    int32_t like[LANES];     /* ... and the row */
    pairs in_text[PATTERNS][PAIRS]; /* for each first half of a word, the others that proteins have */
} scratch;

#if defined(__SSSE3__)
/* The steps of some member of each group. */
static __m128i steps_of(const uint8_t member[VECTOR], __m128i front, __m128i back)
{
    const __m128i high_bit = _mm_set1_epi8((int8_t)0x80); /* in a shuffle: zero */
    const __m128i last = _mm_set1_epi8(VECTOR - 1);
    __m128i which = _mm_loadu_si128((const __m128i *)(const void *)member);
    __m128i none = _mm_cmpeq_epi8(which, _mm_set1_epi8((int8_t)NO_SHARE));
    __m128i behind = _mm_cmpgt_epi8(which, last);
    __m128i first = _mm_shuffle_epi8(front, _mm_or_si128(which, _mm_and_si128(behind, high_bit)));
    __m128i others = _mm_sub_epi8(which, _mm_set1_epi8(RESIDUES - VECTOR));
    __m128i rest = _mm_shuffle_epi8(back, _mm_or_si128(others, _mm_andnot_si128(behind, high_bit)));
    return _mm_or_si128(_mm_or_si128(first, rest), none);
}

/* The steps of sums of two probabilities. */
static __m128i together(const scoring *by, __m128i one, __m128i two)
{
    __m128i larger = _mm_min_epu8(one, two);
    __m128i apart = _mm_subs_epu8(_mm_max_epu8(one, two), larger);
    apart = _mm_srl_epi16(apart, _mm_cvtsi32_si128(by->coarseness));
    apart = _mm_and_si128(apart, _mm_set1_epi8((int8_t)(0xff >> by->coarseness)));
    apart = _mm_min_epu8(apart, _mm_set1_epi8(VECTOR - 1));
    __m128i less = _mm_loadu_si128((const __m128i *)(const void *)by->less_together);
    return _mm_subs_epu8(larger, _mm_shuffle_epi8(less, apart));
}
#else
static uint8_t steps_of(const uint8_t *steps, uint8_t member)
{
    return member == NO_SHARE ? NO_SHARE : steps[member];
}

static uint8_t together(const scoring *by, uint8_t one, uint8_t two)
{
    uint8_t larger = one < two ? one : two;
    int apart = (one < two ? two - one : one - two) >> by->coarseness;
    uint8_t less = by->less_together[apart < VECTOR ? apart : VECTOR - 1];
    return larger > less ? (uint8_t)(larger - less) : 0;
}
#endif

/* How much likelier each group is at a position than anywhere. */
static void set_odds(const scoring *by, const uint8_t *steps, int64_t row, scratch *own)
{
#if defined(__SSSE3__)
    __m128i front = _mm_loadu_si128((const __m128i *)(const void *)steps);
    __m128i back = _mm_loadu_si128((const __m128i *)(const void *)(steps + RESIDUES - VECTOR));
    __m128i sums = steps_of(by->members[0], front, back);
    for (int member = 1; member < MEMBERS; member++)
        sums = together(by, sums, steps_of(by->members[member], front, back));
    sums = _mm_min_epu8(sums, _mm_set1_epi8(INT8_MAX));
    __m128i usual = _mm_loadu_si128((const __m128i *)(const void *)by->usual_of_groups);
    __m128i odds = _mm_sub_epi8(usual, sums);
    _mm_storeu_si128((__m128i *)(void *)own->odds[row], odds);
    const __m128i high_bit = _mm_set1_epi8((int8_t)0x80); /* as numbers without sign */
    __m128i most = _mm_xor_si128(odds, high_bit);
    most = _mm_max_epu8(most, _mm_srli_si128(most, 8));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 4));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 2));
    most = _mm_max_epu8(most, _mm_srli_si128(most, 1));
    own->most[row] = (int16_t)((_mm_cvtsi128_si32(most) & 0xff) - 0x80);
#else
    int16_t most = -INT8_MAX;
    for (int group = 0; group < GROUPS; group++) {
        uint8_t sum = steps_of(steps, by->members[0][group]);
        for (int member = 1; member < MEMBERS; member++)
            sum = together(by, sum, steps_of(steps, by->members[member][group]));
        int16_t odds = (int16_t)(by->usual_of_groups[group] - (sum < INT8_MAX ? sum : INT8_MAX));
        own->odds[row][group] = (int8_t)odds;
        most = most > odds ? most : odds;
    }
    own->most[row] = most;
#endif
}

static void set_scores(const int16_t usual[RESIDUES], int16_t least, const uint8_t *restrict steps,
                       int8_t *restrict scores)
{
    for (int residue = 0; residue < RESIDUES; residue++) {
        int16_t score = (int16_t)(usual[residue] - steps[residue]);
        scores[residue] = (int8_t)(score > least ? score : least);
    }
}

/* The codes of the residues around sixteen places, residue after residue. */
static void set_columns(const uint8_t *codes, const int32_t places[TOGETHER],
                        uint8_t columns[NEAR_WIDTH][TOGETHER])
{
#if defined(__SSSE3__)
    /* Shuffling rows four times, as two halves of a pack of cards, makes columns of them. */
    __m128i rows[2][TOGETHER];
    for (int at = 0; at < TOGETHER; at++)
        rows[0][at] = _mm_loadu_si128((const __m128i *)(const void *)(codes + places[at]));
    for (int turn = 0; turn < 4; turn++)
        for (int at = 0; at < TOGETHER / 2; at++) {
            const __m128i *from = rows[turn % 2] + at;
            rows[1 - turn % 2][2 * at] = _mm_unpacklo_epi8(from[0], from[TOGETHER / 2]);
            rows[1 - turn % 2][2 * at + 1] = _mm_unpackhi_epi8(from[0], from[TOGETHER / 2]);
        }
    for (int at = 0; at < TOGETHER; at++)
        _mm_storeu_si128((__m128i *)(void *)columns[at], rows[0][at]);
    __m128i half[2][TOGETHER / 2];
    for (int at = 0; at < TOGETHER / 2; at++) {
        const uint8_t *one = codes + places[at] + TOGETHER;
        const uint8_t *other = codes + places[at + TOGETHER / 2] + TOGETHER;
        half[0][at] = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)one),
                                        _mm_loadl_epi64((const __m128i *)(const void *)other));
    }
    for (int turn = 0; turn < 3; turn++)
        for (int at = 0; at < TOGETHER / 4; at++) {
            const __m128i *from = half[turn % 2] + at;
            half[1 - turn % 2][2 * at] = _mm_unpacklo_epi8(from[0], from[TOGETHER / 4]);
            half[1 - turn % 2][2 * at + 1] = _mm_unpackhi_epi8(from[0], from[TOGETHER / 4]);
        }
    for (int at = TOGETHER; at < NEAR_WIDTH; at++)
        _mm_storeu_si128((__m128i *)(void *)columns[at], half[1][at - TOGETHER]);
#else
    for (int place = 0; place < TOGETHER; place++)
        for (int at = 0; at < NEAR_WIDTH; at++)
            columns[at][place] = codes[places[place] + at];
#endif
}

/* Sums of scores of the residues around sixteen places. Returns whether any is enough. */
static int near_sums(const uint8_t columns[NEAR_WIDTH][TOGETHER], const int8_t (*scores)[ROW],
                     int32_t least, int16_t sums[TOGETHER])
{
#if defined(__SSSE3__)
    const __m128i ones = _mm_set1_epi8(1);
    const __m128i to_first = _mm_set1_epi8(0x70); /* codes from 16 on get the bit for zero */
    const __m128i sixteen = _mm_set1_epi8(16);    /* codes below get it */
    __m128i low = _mm_setzero_si128();
    __m128i high = _mm_setzero_si128();
    for (int at = 0; at < NEAR_WIDTH; at += 2) {
        __m128i pair[2];
        for (int i = 0; i < 2; i++) {
            const __m128i *table = (const __m128i *)(const void *)scores[at + i];
            __m128i codes = _mm_loadu_si128((const __m128i *)(const void *)columns[at + i]);
            __m128i first = _mm_shuffle_epi8(_mm_loadu_si128(table), _mm_adds_epu8(codes, to_first));
            __m128i rest = _mm_shuffle_epi8(_mm_loadu_si128(table + 1), _mm_sub_epi8(codes, sixteen));
            pair[i] = _mm_or_si128(first, rest);
        }
        low = _mm_add_epi16(low, _mm_maddubs_epi16(ones, _mm_unpacklo_epi8(pair[0], pair[1])));
        high = _mm_add_epi16(high, _mm_maddubs_epi16(ones, _mm_unpackhi_epi8(pair[0], pair[1])));
    }
    __m128i below = _mm_set1_epi16((int16_t)(least - 1));
    __m128i enough = _mm_or_si128(_mm_cmpgt_epi16(low, below), _mm_cmpgt_epi16(high, below));
    _mm_storeu_si128((__m128i *)(void *)sums, low);
    _mm_storeu_si128((__m128i *)(void *)(sums + 8), high);
    return _mm_movemask_epi8(enough) != 0;
#elif defined(__ARM_NEON) && defined(__aarch64__)
    int16x8_t low = vdupq_n_s16(0);
    int16x8_t high = vdupq_n_s16(0);
    for (int at = 0; at < NEAR_WIDTH; at++) {
        int8x16x2_t table = {{vld1q_s8(scores[at]), vld1q_s8(scores[at] + 16)}};
        int8x16_t one = vqtbl2q_s8(table, vld1q_u8(columns[at]));
        low = vaddw_s8(low, vget_low_s8(one));
        high = vaddw_high_s8(high, one);
    }
    vst1q_s16(sums, low);
    vst1q_s16(sums + 8, high);
    return vmaxvq_s16(vmaxq_s16(low, high)) >= least;
#else
    int any = 0;
    for (int place = 0; place < TOGETHER; place++) {
        int32_t sum = 0;
        for (int at = 0; at < NEAR_WIDTH; at++)
            sum += scores[at][columns[at][place]];
        sums[place] = (int16_t)sum;
        any |= sum >= least;
    }
    return any;
#endif
}

/* Score the alignments without gaps around the places that wait. */
static void align(const text *in, scratch *own)
{
    int16_t scores[SEGMENT_WIDTH][LANES] = {{0}};
    int16_t here[LANES] = {0};
    int16_t most[LANES] = {0};
    for (int lane = 0; lane < own->waiting; lane++) {
        const int8_t(*score)[ROW] = own->scores + own->like[lane] + SEGMENT_FIRST;
        const uint8_t *code = in->codes + own->place[lane] + SEGMENT_FIRST;
#pragma GCC unroll 6
        for (int at = 0; at < SEGMENT_WIDTH; at++)
            scores[at][lane] = score[at][code[at]];
    }
    for (int at = 0; at < SEGMENT_WIDTH; at++)
        for (int lane = 0; lane < LANES; lane++) {
            int16_t sum = (int16_t)(here[lane] + scores[at][lane]);
            here[lane] = sum > 0 ? sum : 0;
            most[lane] = most[lane] > here[lane] ? most[lane] : here[lane];
        }
    for (int lane = 0; lane < own->waiting; lane++) {
        int64_t family = own->family[own->like[lane]];
        int16_t *best = own->best + family * in->proteins + in->protein[own->place[lane]];
        if (most[lane] > *best)
            *best = most[lane];
    }
    own->waiting = 0;
}

/* Have the surroundings of a place aligned to those of a row, now or with the next ones. */
static void wait(const text *in, int32_t place, int32_t row, scratch *own)
{
    own->place[own->waiting] = place;
    own->like[own->waiting] = row;
    own->waiting++;
    if (own->waiting == LANES)
        align(in, own);
}

/* Compare the surroundings of a row with those of the places that are queued for it. */
static void compare(const scoring *by, const text *in, int32_t row, scratch *own)
{
    const int8_t(*scores)[ROW] = own->scores + row + NEAR_FIRST;
    int queued = own->queued;
    own->queued = 0;
    for (int at = queued; at % TOGETHER; at++) /* whose sums nobody reads */
        own->queue[at] = own->queue[0];
    for (int first = 0; first < queued; first += TOGETHER) {
        uint8_t columns[NEAR_WIDTH][TOGETHER];
        int16_t sums[TOGETHER];
        set_columns(in->codes + NEAR_FIRST, own->queue + first, columns);
        if (!near_sums(columns, scores, by->least_near, sums))
            continue;
        int some = queued - first < TOGETHER ? queued - first : TOGETHER;
        for (int place = 0; place < some; place++)
            if (sums[place] >= by->least_near)
                wait(in, own->queue[first + place], row, own);
    }
}

/* Have the surroundings of a row compared with those of the places of words in proteins. */
static void queue(const scoring *by, const text *in, int pattern, const uint16_t words[], int count,
                  int32_t row, scratch *own)
{
    const int32_t *starts = in->starts[pattern];
    for (int i = 0; i < count; i++) {
        const int32_t *places = in->places[pattern] + starts[words[i]];
        int32_t left = starts[words[i] + 1] - starts[words[i]];
        do {
            memcpy(own->queue + own->queued, places, SOME * sizeof *places);
            own->queued += left < SOME ? left : SOME;
            if (own->queued > QUEUE)
                compare(by, in, row, own);
            left -= SOME;
            places += SOME;
        } while (left > 0);
    }
}

/* The pairs whose odds together are enough. */
static pairs enough(const int8_t one[GROUPS], const int8_t two[GROUPS], int32_t most_of_two,
                    int32_t least)
{
    pairs found = {{0}};
    for (int first = 0; first < GROUPS; first++) {
        if (one[first] + most_of_two < least)
            continue;
        for (int second = 0; second < GROUPS; second++) {
            int pair = first * GROUPS + second;
            uint64_t bit = one[first] + two[second] >= least;
            found.bits[pair / PAIR_BITS] |= bit << pair % PAIR_BITS;
        }
    }
    return found;
}

/* The odds of all pairs of groups of two rows. */
typedef struct {
    const int8_t *one, *two;
    int32_t most_of_two;
#if defined(VECTORS)
    bytes sums[PAIRS / VECTOR]; /* a byte each; the nearest where they do not ... */
    int fit;                    /* ... above; below none decides */
#endif
} halves;

static void set_halves(const scratch *own, int32_t one, int32_t two, halves *of)
{
    of->one = own->odds[one];
    of->two = own->odds[two];
    of->most_of_two = own->most[two];
#if defined(VECTORS)
    of->fit = own->most[one] + own->most[two] <= INT8_MAX;
    enum { TURN = 3 }; /* vectors, behind which the second groups are the same again */
    static const int8_t firsts[TURN][VECTOR] = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1},
        {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2},
        {2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
    };
    static const int8_t seconds[TURN][VECTOR] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3},
        {4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7},
        {8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
    };
    bytes first = loaded(of->one), second = loaded(of->two);
    for (int turn = 0; turn < TURN; turn++) {
        bytes its = looked_up(second, loaded(seconds[turn]));
        bytes which = loaded(firsts[turn]);
        for (int at = turn; at < PAIRS / VECTOR; at += TURN) {
            of->sums[at] = sum_of(looked_up(first, which), its);
            which = sum_of(which, every(TURN * VECTOR / GROUPS));
        }
    }
#endif
}

static inline int32_t odds_of(const halves *of, int pair)
{
#if defined(VECTORS)
    int8_t sum = ((const int8_t *)of->sums)[pair];
    if (of->fit && sum > INT8_MIN)
        return sum;
#endif
    return of->one[pair / GROUPS] + of->two[pair % GROUPS];
}

/* The pairs whose odds are enough; `least` is not above the most that any pair has. */
static inline pairs halves_with(const halves *of, int32_t least)
{
#if defined(VECTORS)
    if (of->fit && least > INT8_MIN) {
        uint64_t bits[PAIRS / VECTOR];
        bytes below = every((int8_t)(least - 1));
        for (int at = 0; at < PAIRS / VECTOR; at++)
            bits[at] = bits_above(of->sums[at], below);
        return (pairs){{
            bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48,
            bits[4] | bits[5] << 16 | bits[6] << 32 | bits[7] << 48,
            bits[8],
        }};
    }
#endif
    return enough(of->one, of->two, of->most_of_two, least);
}

/* Have a row compared by each word that begins there, which members are likely to have and some
 * protein has.
 *
 * Each of the three loops does for all words what the next one needs: a processor foresees none of
 * their ends, and so waits at few of them.
 */
static void queue_words(const scoring *by, const text *in, int pattern, int32_t least, int32_t row,
                        scratch *own)
{
    const uint8_t *at = by->pattern[pattern];
    int32_t most_of_starts = own->most[row + at[0]] + own->most[row + at[1]];
    int32_t most_of_ends = own->most[row + at[2]] + own->most[row + at[3]];
    if (most_of_starts + most_of_ends < least)
        return;
    halves starts, ends;
    set_halves(own, row + at[0], row + at[1], &starts);
    set_halves(own, row + at[2], row + at[3], &ends);
    pairs likely = halves_with(&starts, least - most_of_ends);
    uint64_t bits_of[PAIRS * PAIR_PARTS]; /* of words, that ... */
    uint16_t first_of[PAIRS * PAIR_PARTS]; /* ... follow one with this number */
    int parts = 0;
    for (int some = 0; some < PAIR_PARTS; some++)
        for (uint64_t bits = likely.bits[some]; bits; bits &= bits - 1) {
            int start = PAIR_BITS * some + __builtin_ctzll(bits);
            pairs its = halves_with(&ends, least - odds_of(&starts, start));
            for (int part = 0; part < PAIR_PARTS; part++) {
                bits_of[parts] = its.bits[part] & own->in_text[pattern][start].bits[part];
                first_of[parts] = (uint16_t)(start * PAIRS + part * PAIR_BITS);
                parts += bits_of[parts] != 0;
            }
        }
    uint16_t words[WORDS_AT_ONCE + PAIR_BITS];
    int count = 0;
    for (int part = 0; part < parts; part++) {
        uint64_t bits = bits_of[part];
        do
            words[count++] = (uint16_t)(first_of[part] + __builtin_ctzll(bits));
        while (bits &= bits - 1);
        if (count >= WORDS_AT_ONCE || part == parts - 1) {
            queue(by, in, pattern, words, count, row, own);
            count = 0;
        }
    }
}

/* The first family behind a block that begins with a family. */
static int64_t end_of_block(const int64_t *offsets, int64_t first, int64_t behind)
{
    int64_t end = first + 1;
    while (end < behind && offsets[end + 1] - offsets[first] <= BLOCK)
        end++;
    return end;
}

/* Memory for the largest of the blocks: to ask for it anew each time costs more than to use it. */
static int make_room(scratch *own, const int64_t *offsets, int64_t first, int64_t behind,
                     int64_t proteins)
{
    size_t rows = 0;
    int64_t families = 0;
    for (int64_t end; first < behind; first = end) {
        end = end_of_block(offsets, first, behind);
        size_t needed = (size_t)(offsets[end] - offsets[first] + (end - first + 1) * MARGIN);
        rows = rows > needed ? rows : needed;
        families = families > end - first ? families : end - first;
    }
    own->scores = calloc(rows + VECTOR, sizeof *own->scores);
    own->odds = calloc(rows + 1, sizeof *own->odds);
    own->most = calloc(rows + 1, sizeof *own->most);
    own->family = calloc(rows + 1, sizeof *own->family);
    own->best = calloc((size_t)(families * proteins + 1), sizeof *own->best);
    return own->scores && own->odds && own->most && own->family && own->best;
}

static void let_go(scratch *own)
{
    free(own->scores);
    free(own->odds);
    free(own->most);
    free(own->family);
    free(own->best);
}

static void clear_margin(int64_t row, scratch *own)
{
    memset(own->scores + row, 0, MARGIN * sizeof *own->scores);
    for (int at = 0; at < MARGIN; at++)
        own->most[row + at] = NO_ODDS;
}

/* Work out the rows of the families [first, end). */
static void set_rows(const scoring *by, const uint8_t *emissions, const int64_t *offsets,
                     int64_t first, int64_t end, scratch *own)
{
    int16_t usual[RESIDUES];
    for (int residue = 0; residue < RESIDUES; residue++)
        usual[residue] = (int16_t)by->usual_steps[residue];
    int64_t row = MARGIN;
    clear_margin(0, own);
    for (int64_t family = first; family < end; family++, row += MARGIN) {
        for (int64_t at = offsets[family]; at < offsets[family + 1]; at++, row++) {
            const uint8_t *steps = emissions + at * RESIDUES;
            set_odds(by, steps, row, own);
            set_scores(usual, (int16_t)by->least_score, steps, own->scores[row]);
            own->family[row] = (int32_t)(family - first);
        }
        clear_margin(row, own);
    }
}

/* Score all proteins with the families [first, end). */
static void score_block(const scoring *by, const uint8_t *emissions, const int64_t *offsets,
                        int64_t first, int64_t end, const int32_t *least_odds, const text *in,
                        scratch *own)
{
    set_rows(by, emissions, offsets, first, end, own);
    memset(own->best, 0, (size_t)((end - first) * in->proteins) * sizeof *own->best);
    int32_t row = MARGIN;
    for (int64_t family = first; family < end; family++, row += MARGIN)
        for (int64_t at = offsets[family]; at < offsets[family + 1]; at++, row++) {
            for (int pattern = 0; pattern < PATTERNS; pattern++)
                queue_words(by, in, pattern, least_odds[family], row, own);
            compare(by, in, row, own);
        }
    align(in, own);
}

/* Pairs of families [first, behind) and proteins with a good alignment without gaps.
 *
 * `least` and `sure` are what a pair needs, and from what on nothing else is asked of it,
 * in steps; `least_odds` is how much likelier in a family than anywhere a word has to be.
 * There must be room for every pair. Returns how many there are, or -1 where memory is short.
 */
EXPORT int64_t genint_ungapped(const scoring *by, const uint8_t *emissions, const int64_t *offsets,
                               int64_t first, int64_t behind, const int32_t *least_odds,
                               const double *least, const double *sure, const text *in,
                               int32_t *families, int32_t *proteins, int32_t *scores,
                               uint8_t *are_sure)
{
    scratch own = {0};
    int64_t found = -1;
    if (!make_room(&own, offsets, first, behind, in->proteins))
        goto end;
    for (int pattern = 0; pattern < PATTERNS; pattern++)
        for (int word = 0; word < WORDS; word++)
            if (in->starts[pattern][word] < in->starts[pattern][word + 1])
                own.in_text[pattern][word / PAIRS].bits[word % PAIRS / PAIR_BITS] |=
                    (uint64_t)1 << word % PAIRS % PAIR_BITS;
    int64_t pairs = 0;
    for (int64_t end; first < behind; first = end) {
        end = end_of_block(offsets, first, behind);
        score_block(by, emissions, offsets, first, end, least_odds, in, &own);
        for (int64_t family = first; family < end; family++)
            for (int64_t protein = 0; protein < in->proteins; protein++) {
                int32_t score = own.best[(family - first) * in->proteins + protein];
                int is_sure = score >= sure[family];
                if (!is_sure && (!score || score < least[family] + in->extra[protein]))
                    continue;
                families[pairs] = (int32_t)family;
                proteins[pairs] = (int32_t)protein;
                scores[pairs] = score;
                are_sure[pairs] = (uint8_t)is_sure;
                pairs++;
            }
    }
    found = pairs;
end:
    let_go(&own);
    return found;
}

/* Number of the kind that each position is most like: the least sum of squares, weighted.
 *
 * `kinds` [KINDS][RESIDUES] are scores of residues in units of which a step has `units`;
 * `weights` of residues are whole numbers whose sum is 1024 at most. Scores, and weights times
 * scores, have to fit into 16 bits.
 *
 * Of the sum of w (s - k)^2 the part w s^2 is the same for all kinds: w k^2 - 2 w k s is left,
 * in whole numbers, whose order is that of the sums.
 */
EXPORT void genint_kinds(const scoring *by, const uint8_t *emissions, int64_t positions,
                         const int32_t *kinds, int32_t units, const int32_t *weights,
                         uint8_t *nearest)
{
    int16_t weighted[KINDS][ROOM] = {{0}};
    int32_t own[KINDS] = {0};
    for (int kind = 0; kind < KINDS; kind++)
        for (int residue = 0; residue < RESIDUES; residue++) {
            int32_t score = kinds[kind * RESIDUES + residue];
            weighted[kind][residue] = (int16_t)(weights[residue] * score);
            own[kind] += weights[residue] * score * score;
        }
    for (int64_t at = 0; at < positions; at++) {
        int16_t scores[ROOM] = {0};
        for (int residue = 0; residue < RESIDUES; residue++) {
            int32_t score = by->usual_steps[residue] - emissions[at * RESIDUES + residue];
            scores[residue] = (int16_t)(units * (score > by->least_score ? score : by->least_score));
        }
        int32_t least = INT32_MAX;
        for (int kind = 0; kind < KINDS; kind++) {
            int32_t product = 0;
            for (int residue = 0; residue < ROOM; residue++)
                product += (int32_t)scores[residue] * weighted[kind][residue];
            int32_t sum = own[kind] - 2 * product;
            if (sum < least) {
                least = sum;
                nearest[at] = (uint8_t)kind;
            }
        }
    }
}
