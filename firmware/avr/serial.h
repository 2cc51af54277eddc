/* The serial line: 250,000 baud, 8N1, with a ring of bytes in each direction. The one for what comes in is short, so that
   what waits in it is answered soon. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void serial_start(void);

/* Takes the next byte that came in; false if there is none. */
bool serial_take(uint8_t *byte);
bool serial_waiting(void);

/* The byte that serial_take will return, if one waits. */
uint8_t serial_next(void);

/* Takes what has just arrived off the receiver; for where interrupts are off for longer than a byte takes. */
void serial_poll(void);

/* How many bytes can be put without waiting. */
uint8_t serial_room(void);

/* Whether all that was put has been handed to the transmitter. */
bool serial_idle(void);

/* Waits while the ring is full. */
void serial_put(uint8_t byte);

uint16_t serial_overruns(void);
