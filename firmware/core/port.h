/* What the core asks of the hardware. Each target (avr, or a test on the host) brings these functions. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Appends a byte to what goes to the host; waits while the buffer is full. */
void port_send(uint8_t byte);

/* How many bytes port_send takes without waiting. */
uint8_t port_room(void);

/* Writes `count` bytes (green, red, blue and, where lamps have it, white for each lamp) into the strip. */
void port_show(const uint8_t *bytes, uint8_t count);

/* A tone in hertz; 0 is silence. */
void port_tone(uint16_t hertz);

/* Shows faces 1 to 6 on the two dice; 0 is dark. */
void port_dice(uint8_t first, uint8_t second);

/* Keeps the settings (SETTINGS_SIZE bytes) over a power cut; may go on in the background. */
void port_keep_settings(const uint8_t *record);

/* Restarts the chip soon after this returns: when all that was put has gone out and the settings are kept. Until then it
   neither takes nor says anything more. */
void port_restart(void);

/* Bytes between the end of the variables and the stack. */
uint16_t port_free_ram(void);

/* Bytes that came in faster than they were taken, since the start. */
uint16_t port_overruns(void);
