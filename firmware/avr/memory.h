/* What outlives a power cut: settings, the board's own number, the count of starts with empty memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"

/* Reads the settings into `record`; returns it, or NULL where none were kept. */
const uint8_t *memory_settings(uint8_t *record);

/* Keeps the settings, a byte at a time in memory_go_on, because each takes 3.4 ms. */
void memory_keep_settings(const uint8_t *record);
void memory_go_on(void);

/* Whether the settings are kept to the last byte. */
bool memory_idle(void);

/* The number of this board; `fresh` becomes it if it has none yet. */
uint32_t memory_board_id(uint32_t fresh);

/* A number that was never returned before. Waits about 20 ms. */
uint32_t memory_new_boot_id(void);
