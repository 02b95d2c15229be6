/* How alike are two proteins around the seeds that they share? The two inner loops of that
 * question; see genint/native/similarity.py. All arithmetic is in whole numbers.
 */

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

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
