#include "strip.h"

#include <string.h>

/* Nanoseconds in cycles of 16 MHz. High times are those that WS2812B, its V5 and SK6812 have in common; the gap is the one
   older lamps bear, the latch the one newer lamps want. */
#define NS(ns) ((uint64_t)(ns) * 16 / 1000)
#define ZERO_MIN NS(220)
#define ZERO_MAX NS(380)
#define ONE_MIN NS(580)
#define ONE_MAX NS(950)
#define LOW_MIN NS(580)
#define GAP_MAX NS(9000)
#define LATCH NS(280000)

void strip_settle(struct strip *strip, uint64_t cycle)
{
    if (!strip->bits || cycle - strip->fell < LATCH)
        return;
    if (strip->bits % 8)
        strip->faults++;
    strip->shown_bytes = strip->bits / 8;
    memcpy(strip->shown, strip->bytes, strip->shown_bytes);
    strip->shown_cycle = strip->began;
    strip->pictures++;
    strip->bits = 0;
}

static void rise(struct strip *strip, uint64_t cycle)
{
    strip_settle(strip, cycle);
    uint64_t low = cycle - strip->fell;
    strip->rose = cycle;
    if (!strip->bits) {
        strip->began = cycle;
        return;
    }
    if (low > strip->longest_gap)
        strip->longest_gap = low;
    if (low < LOW_MIN || low > GAP_MAX)
        strip->faults++;
}

static void fall(struct strip *strip, uint64_t cycle)
{
    uint64_t high = cycle - strip->rose;
    bool one = high > ZERO_MAX;
    strip->fell = cycle;
    if (high < ZERO_MIN || high > ONE_MAX || (one && high < ONE_MIN))
        strip->faults++;
    if (strip->bits == 8 * STRIP_BYTES) {
        strip->faults++;
        return;
    }
    uint8_t mask = 0x80 >> strip->bits % 8;
    uint8_t *byte = &strip->bytes[strip->bits++ / 8];
    *byte = one ? *byte | mask : *byte & ~mask;
}

void strip_edge(struct strip *strip, bool high, uint64_t cycle)
{
    if (high == strip->high)
        return;
    strip->high = high;
    if (high)
        rise(strip, cycle);
    else
        fall(strip, cycle);
}
