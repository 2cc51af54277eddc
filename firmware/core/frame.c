#include "frame.h"

#include "bytes.h"
#include "crc16.h"
#include "port.h"

/* Decodes in place; the output never overtakes the input. Returns the length, 0 for what is no COBS. */
static uint8_t unstuff(uint8_t *bytes, uint8_t count)
{
    uint8_t from = 0, to = 0;
    while (from < count) {
        uint8_t block = bytes[from++];
        if (block - 1 > count - from)
            return 0;
        for (uint8_t left = block; left > 1; left--)
            bytes[to++] = bytes[from++];
        if (from < count)
            bytes[to++] = 0;
    }
    return to;
}

static uint8_t check(struct frame_reader *reader)
{
    uint8_t count = reader->too_long ? 0 : unstuff(reader->bytes, reader->count);
    if (count >= 3) {
        count -= 2;
        if (crc16(CRC16_START, reader->bytes, count) == get16(reader->bytes + count))
            return count;
    }
    if (reader->bad != UINT16_MAX)
        reader->bad++;
    return 0;
}

uint8_t frame_read(struct frame_reader *reader, uint8_t byte)
{
    if (byte) {
        if (reader->count < FRAME_ENCODED_MAX)
            reader->bytes[reader->count++] = byte;
        else
            reader->too_long = true;
        return 0;
    }
    uint8_t payload = reader->count ? check(reader) : 0;
    reader->count = 0;
    reader->too_long = false;
    return payload;
}

void frame_send(uint8_t *payload, uint8_t count)
{
    put16(payload + count, crc16(CRC16_START, payload, count));
    count += 2;
    port_send(0);
    uint8_t from = 0;
    for (;;) {
        uint8_t end = from;
        while (end < count && payload[end])
            end++;
        port_send((uint8_t)(end - from + 1));
        while (from < end)
            port_send(payload[from++]);
        if (end == count)
            break;
        from = end + 1; /* past the zero that the next block's length stands for */
    }
    port_send(0);
}
