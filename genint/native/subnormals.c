/* How the processor deals with subnormal numbers; see genint/native/subnormals.py. */

#include <stdint.h>

#include "export.h"

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>

/* "Flush to zero" is a result that is subnormal, "denormals are zero" an operand. */
enum { FLUSHED = 0x8000, READ_AS_ZERO = 0x0040 };

static uint64_t control(void)
{
    return _mm_getcsr();
}

static void set_control(uint64_t value)
{
    _mm_setcsr((unsigned)value);
}

#elif defined(__aarch64__)

enum { FLUSHED = 1 << 24, READ_AS_ZERO = 0 };

static uint64_t control(void)
{
    uint64_t value;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(value));
    return value;
}

static void set_control(uint64_t value)
{
    __asm__ __volatile__("msr fpcr, %0" : : "r"(value));
}

#else

enum { FLUSHED = 0, READ_AS_ZERO = 0 };

static uint64_t control(void)
{
    return 0;
}

static void set_control(uint64_t value)
{
    (void)value;
}

#endif

/* From here on subnormal numbers are zero in this thread; what its settings were before. */
EXPORT uint64_t genint_subnormals_as_zero(void)
{
    uint64_t before = control();
    set_control(before | FLUSHED | READ_AS_ZERO);
    return before;
}

/* Give the thread settings that it had. */
EXPORT void genint_restore_subnormals(uint64_t before)
{
    set_control(before);
}
