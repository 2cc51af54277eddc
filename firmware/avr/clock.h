/* The millisecond: timer 0 counts it, the main loop takes it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void clock_start(void);

/* Whether a millisecond has gone by that was not taken. */
bool clock_waiting(void);
void clock_take(void);

/* Forgets those that were not taken. */
void clock_forget(void);

/* Counts a millisecond that has just ended; for where interrupts are off for longer than that. */
void clock_poll(void);
