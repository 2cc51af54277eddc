/* The WS2812 strip. */
#pragma once

#include <stdint.h>

/* Writes the bytes into the strip. Interrupts are off for one byte (11 microseconds) at a time, so that no byte from the
   serial line is missed: the receiver holds two, and one takes 40 microseconds to arrive. */
void strip_write(const uint8_t *bytes, uint8_t count);
