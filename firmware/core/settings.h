/* What the owner sets once; kept over power cuts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SETTINGS_SIZE 6
#define SETTINGS_DEFAULT {29, 28, 500 >> 8, 500 & 255, 255, 8}

#define WHITE_LED 0x80 /* in the record's byte of the lamps */

struct settings {
    uint8_t lamps;
    bool white; /* each lamp has a white LED beside the three colours */
    uint8_t status_lamp; /* 255: none */
    uint16_t limit_ma;
    uint8_t max_brightness;
    uint8_t debounce_ms;
};

/* Takes a record in the order of the protocol. Returns false and changes nothing if a value is out of its range. */
bool settings_read(struct settings *settings, const uint8_t *record);

/* How many bytes the strip takes for all lamps. */
uint8_t settings_bytes(const struct settings *settings);

void settings_write(const struct settings *settings, uint8_t *record);
