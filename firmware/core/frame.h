/* Frames on the serial line: 00 | COBS(payload, CRC-16) | 00. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"

#define FRAME_ENCODED_MAX (MAX_PAYLOAD + 2 + 1)
#define FRAME_ROOM(payload) ((payload) + 2 + 1 + 2) /* bytes on the line, delimiters included */

/* Takes bytes one by one. Bytes of a frame that grows too long are passed over up to the next delimiter. */
struct frame_reader {
    uint8_t bytes[FRAME_ENCODED_MAX];
    uint8_t count;
    bool too_long;
    uint16_t bad; /* frames dropped; stays at 65535 */
};

/* Returns the length of the payload that `byte` completes, now at reader->bytes until the next call, else 0. */
uint8_t frame_read(struct frame_reader *reader, uint8_t byte);

/* Sends a payload of 1 to MAX_PAYLOAD bytes through port_send. The array has room for two bytes more: the CRC. */
void frame_send(uint8_t *payload, uint8_t count);
