/* Push buttons: a change counts when the contact has been quiet for a while; it is dated back to when it closed. */
#pragma once

#include <stdint.h>

#include "limits.h"

struct debounce {
    uint8_t down;           /* one bit for each button, as reported */
    uint8_t differs;        /* the contact says otherwise since `since` */
    uint8_t since[BUTTONS]; /* the low byte of the clock: no debounce time is as long as it takes to come round */
};

/* `contacts`: the buttons that count as down already, and are not reported as pressed. */
void debounce_start(struct debounce *debounce, uint8_t contacts);

/* Takes the contacts, once a millisecond; returns the buttons that changed. */
uint8_t debounce_take(struct debounce *debounce, uint8_t contacts, uint32_t now_ms, uint8_t quiet_ms);

/* When a button that just changed began to. */
uint32_t debounce_since(const struct debounce *debounce, uint8_t button, uint32_t now_ms);
