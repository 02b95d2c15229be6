/* How alike are two proteins around the seeds that they share, and from end to end? The inner
 * loops of these questions; see genint/native/similarity.py. All arithmetic is in whole numbers.
 */

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "export.h"

enum {
    WINDOW = 32, /* residues around a seed */
    GROUP = 0xf0 /* bits of a code that say the group of a residue */
};

/* For each seed three for each residue of its window that is the same, one for each of the same
 * group. Window `i` begins at `theirs[their_first[i]]` and `ours[our_first[i]]`. */
EXPORT void genint_alike(const uint8_t *theirs, const int64_t *their_first, const uint8_t *ours,
                         const int64_t *our_first, int64_t count, uint8_t *sums)
{
    for (int64_t i = 0; i < count; i++) {
        const uint8_t *one = theirs + their_first[i];
        const uint8_t *other = ours + our_first[i];
#if defined(__SSE2__)
        const __m128i zero = _mm_setzero_si128();
        const __m128i group = _mm_set1_epi8((char)GROUP);
        uint32_t same = 0;
        uint32_t alike = 0;
        for (int half = 0; half < WINDOW; half += 16) {
            __m128i differ =
                _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)(one + half)),
                              _mm_loadu_si128((const __m128i *)(const void *)(other + half)));
            __m128i apart = _mm_and_si128(differ, group);
            same |= (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(differ, zero)) << half;
            alike |= (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(apart, zero)) << half;
        }
        sums[i] = (uint8_t)(2 * __builtin_popcount(same) + __builtin_popcount(alike));
#else
        int sum = 0;
        for (int at = 0; at < WINDOW; at++) {
            uint8_t differ = one[at] ^ other[at];
            sum += 2 * (differ == 0) + ((differ & GROUP) == 0);
        }
        sums[i] = (uint8_t)sum;
#endif
    }
}

/* For each pair of stretches of `width` residues the highest score of an alignment without gaps
 * and without a shift. `table` [rows][256] has the scores of a row, which is what `rows` says of a
 * place of ours, with a code of theirs. */
EXPORT void genint_segments(const uint8_t *theirs, const int64_t *their_first, const uint8_t *rows,
                            const int64_t *our_first, int64_t count, int64_t width,
                            const int8_t *table, int16_t *best)
{
    for (int64_t i = 0; i < count; i++) {
        const uint8_t *code = theirs + their_first[i];
        const uint8_t *row = rows + our_first[i];
        int32_t here = 0;
        int32_t most = 0;
        for (int64_t at = 0; at < width; at++) {
            here += table[row[at] << 8 | code[at]];
            here = here > 0 ? here : 0;
            most = most > here ? most : here;
        }
        best[i] = (int16_t)most;
    }
}

/* The best alignment from end to end of two stretches, in a band of `width` diagonals around them.
 *
 * `table` [letters][letters] says what a pair of residues adds, by the numbers of both; `open` is
 * what the first residue of a gap costs, `extend` each further one; nothing falls below `never`.
 * Item `k` of a row stands for residue `row + lowest + k` of the target, whose residues beyond its
 * ends have the number `letters - 1`. `best` and `down` have room for `width` items. Returns the
 * sum of all that was added where both end.
 */
EXPORT int64_t genint_band(const uint8_t *protein, int64_t length, const uint8_t *target,
                           int64_t target_length, int64_t lowest, int64_t width,
                           const int64_t *table, int64_t letters, int64_t open, int64_t extend,
                           int64_t never, int64_t *best, int64_t *down)
{
    for (int64_t k = 0; k < width; k++) {
        int64_t gap = k + lowest;
        best[k] = gap < 0 ? never : gap ? -(open + (gap - 1) * extend) : 0;
        down[k] = never;
    }
    for (int64_t row = 0; row < length; row++) {
        const int64_t *adds = table + protein[row] * letters;
        int64_t across = INT64_MIN;
        for (int64_t k = 0; k < width; k++) {
            if (k + 1 < width) {
                int64_t begun = best[k + 1] - open;
                int64_t longer = down[k + 1] - extend;
                down[k] = begun > longer ? begun : longer;
            }
            int64_t at = row + lowest + k;
            int64_t value = best[k] + adds[at < 0 || at >= target_length ? letters - 1 : target[at]];
            value = value > down[k] ? value : down[k];
            int64_t beside = value;
            if (k && across > value)
                value = across;
            best[k] = value > never ? value : never;
            /* A gap begins beside what was reached without one in this row. */
            beside -= open;
            across = k && across - extend > beside ? across - extend : beside;
        }
    }
    return best[target_length - length - lowest];
}
