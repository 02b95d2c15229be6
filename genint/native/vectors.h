/* Sixteen bytes at a time, where the processor has them: then VECTORS is defined. */
#ifndef GENINT_VECTORS_H
#define GENINT_VECTORS_H

#include <stdint.h>

#if defined(__SSSE3__)
#include <tmmintrin.h>
#define VECTORS
typedef __m128i bytes;

static inline bytes loaded(const int8_t from[16])
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline bytes every(int8_t byte)
{
    return _mm_set1_epi8(byte);
}

static inline bytes looked_up(bytes in, bytes which)
{
    return _mm_shuffle_epi8(in, which);
}

/* The nearest byte where a sum is none. */
static inline bytes sum_of(bytes one, bytes two)
{
    return _mm_adds_epi8(one, two);
}

static inline uint32_t bits_above(bytes some, bytes below)
{
    return (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(some, below));
}
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define VECTORS
typedef int8x16_t bytes;

static inline bytes loaded(const int8_t from[16])
{
    return vld1q_s8(from);
}

static inline bytes every(int8_t byte)
{
    return vdupq_n_s8(byte);
}

static inline bytes looked_up(bytes in, bytes which)
{
    return vqtbl1q_s8(in, vreinterpretq_u8_s8(which));
}

/* The nearest byte where a sum is none. */
static inline bytes sum_of(bytes one, bytes two)
{
    return vqaddq_s8(one, two);
}

static inline uint32_t bits_above(bytes some, bytes below)
{
    static const uint8_t bit_of[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(vcgtq_s8(some, below), vld1q_u8(bit_of));
    return vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}
#endif

#endif
