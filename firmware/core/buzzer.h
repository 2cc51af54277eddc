/* Patterns of tones, played step by step. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"

struct buzzer {
    uint8_t steps[2 * MAX_STEPS]; /* tone in 20 Hz, duration in 10 ms */
    uint8_t count, next, last_id;
    bool any; /* last_id is valid */
    bool playing;
    uint32_t until_ms;
};

/* Starts a pattern unless it is the one that was played last. */
void buzzer_play(struct buzzer *buzzer, uint8_t id, const uint8_t *steps, uint8_t count, uint32_t now_ms);

void buzzer_tick(struct buzzer *buzzer, uint32_t now_ms);
