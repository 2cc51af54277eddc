/* Reads what a WS2812 strip would see on its data line, and checks the pulses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define STRIP_BYTES 512

struct strip {
    bool high;
    uint64_t rose, fell;
    uint8_t bytes[STRIP_BYTES]; /* the picture that is coming in */
    uint32_t bits;
    uint8_t shown[STRIP_BYTES]; /* the last picture that was taken over */
    uint32_t shown_bytes;
    uint64_t shown_cycle;     /* when its first bit began */
    uint64_t began;
    uint32_t pictures, faults; /* faults: pulses or gaps out of their limits, pictures cut within a byte */
    uint64_t longest_gap;      /* between bits, in cycles */
};

void strip_edge(struct strip *strip, bool high, uint64_t cycle);

/* Takes the picture over if the line has been quiet long enough. */
void strip_settle(struct strip *strip, uint64_t cycle);
