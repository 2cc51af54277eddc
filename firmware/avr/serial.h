/* The serial line: 250,000 baud, 8N1, with a ring of bytes in each direction. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void serial_start(void);

/* Takes the next byte that came in; false if there is none. */
bool serial_take(uint8_t *byte);
bool serial_waiting(void);

/* How many bytes can be put without waiting. */
uint8_t serial_room(void);

/* Waits while the ring is full. */
void serial_put(uint8_t byte);

uint16_t serial_overruns(void);
