/* CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected. */
#pragma once

#include <stdint.h>

#define CRC16_START 0xFFFFu

uint16_t crc16(uint16_t crc, const uint8_t *data, uint16_t count);
