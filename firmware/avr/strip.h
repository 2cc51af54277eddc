/* The WS2812 strip. */
#pragma once

#include <stdint.h>

/* Writes the bytes into the strip, some 14 microseconds each, with interrupts off. No byte from the serial line is missed: the
   receiver holds two, one takes 40 microseconds to arrive, and it is looked at after every byte of the strip. */
void strip_write(const uint8_t *bytes, uint8_t count);
