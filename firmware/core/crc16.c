#include "crc16.h"

/* Eight steps of the polynomial at once, without a table: the byte's own feedback is folded in first. */
static uint16_t step(uint16_t crc, uint8_t byte)
{
    uint8_t fed = (uint8_t)(crc >> 8) ^ byte;
    fed ^= fed >> 4;
    return (uint16_t)((uint16_t)(crc << 8) ^ ((uint16_t)fed << 12) ^ ((uint16_t)fed << 5) ^ fed);
}

uint16_t crc16(uint16_t crc, const uint8_t *data, uint16_t count)
{
    while (count--)
        crc = step(crc, *data++);
    return crc;
}
