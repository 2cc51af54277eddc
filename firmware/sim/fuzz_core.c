/* Feeds the core random bytes and damaged requests, built with the address and the undefined-behaviour sanitizer.

   Usage: fuzz_core BYTES SEED. Every so often a good PING is sent; the one after a delimiter must be answered. Prints a line
   with what was fed and answered, and fails at the first PING that stays without its answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "crc16.h"
#include "device.h"
#include "port.h"

static struct device device;
static struct queue queue;
static struct frame_reader answers;
static uint32_t pongs, token_heard;
static uint64_t state;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

void port_send(uint8_t byte)
{
    uint8_t count = frame_read(&answers, byte);
    if (count && answers.bytes[0] == 0x82) {
        pongs++;
        token_heard = get16(answers.bytes + 1);
    }
}

uint8_t port_room(void)
{
    return 255;
}

void port_show(const uint8_t *bytes, uint8_t count)
{
    static volatile uint8_t sum;
    while (count--)
        sum ^= *bytes++;
}

void port_tone(uint16_t hertz)
{
    (void)hertz;
}

void port_dice(uint8_t first, uint8_t second)
{
    if (first > 6 || second > 6)
        abort();
}

void port_keep_settings(const uint8_t *record)
{
    static uint8_t kept[SETTINGS_SIZE];
    memcpy(kept, record, sizeof kept);
}

void port_restart(void)
{
}

uint16_t port_free_ram(void)
{
    return 0;
}

uint16_t port_overruns(void)
{
    return 0;
}

static uint32_t new_boot_id(void)
{
    return draw();
}

static void boot(void)
{
    struct device_start start = {.queue = &queue, .seed = draw(), .new_boot_id = new_boot_id};
    device_start(&device, &start);
}

/* A frame as the host writes it; `flaw` of 0 leaves it whole. */
static uint32_t feed_frame(uint8_t *payload, uint8_t count, uint32_t flaw)
{
    uint8_t wire[MAX_PAYLOAD + 8], length = 0, code_at;
    put16(payload + count, crc16(CRC16_START, payload, count));
    wire[length++] = 0;
    code_at = length++;
    for (uint8_t i = 0; i < count + 2; i++) {
        if (payload[i]) {
            wire[length++] = payload[i];
            continue;
        }
        wire[code_at] = (uint8_t)(length - code_at);
        code_at = length++;
    }
    wire[code_at] = (uint8_t)(length - code_at);
    wire[length++] = 0;
    if (flaw)
        wire[flaw % length] ^= (uint8_t)(flaw >> 8) | 1;
    for (uint8_t i = 0; i < length; i++)
        device_byte(&device, wire[i]);
    return length;
}

static uint32_t feed_request(uint32_t flaw)
{
    static const uint8_t types[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x08, 0x10, 0x77};
    uint8_t payload[MAX_PAYLOAD + 2], count = (uint8_t)(1 + draw() % (draw() % 4 ? 16 : MAX_PAYLOAD));
    for (uint8_t i = 1; i < count; i++)
        payload[i] = draw() % 3 ? (uint8_t)(draw() % 8) : (uint8_t)draw();
    payload[0] = types[draw() % sizeof types];
    return feed_frame(payload, count, flaw);
}

static void must_answer(uint32_t token)
{
    uint8_t payload[5] = {0x02, (uint8_t)(token >> 8), (uint8_t)token};
    uint8_t hello[9] = {0x01, PROTOCOL_MAJOR, 0, 0, 0, 0, 1};
    uint32_t before = pongs;
    feed_frame(hello, 7, 0);
    feed_frame(payload, 3, 0);
    if (pongs == before || token_heard != (token & 0xFFFF)) {
        fprintf(stderr, "a good frame after noise was not answered (token %u)\n", token);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    uint64_t bytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000, fed = 0;
    state = (argc > 2 ? strtoull(argv[2], NULL, 10) : 1) * 0x9E3779B97F4A7C15u + 1;
    queue_clear(&queue, 1);
    boot();
    for (uint32_t round = 0; fed < bytes; round++) {
        uint32_t burst = draw() % 300;
        for (uint32_t i = 0; i < burst; i++)
            device_byte(&device, draw() % 8 ? (uint8_t)draw() : (uint8_t)(draw() % 4));
        fed += burst + feed_request(0) + feed_request(draw() | 1);
        for (uint32_t i = draw() % 4; i; i--)
            device_tick(&device, draw() % 16 ? device.buttons.down : (uint8_t)draw());
        must_answer(round);
        if (draw() % 512 == 0) { /* a reset in the middle of anything, with the memory whole, torn or wiped */
            if (draw() % 2)
                ((uint8_t *)&queue)[draw() % sizeof queue] ^= (uint8_t)draw();
            if (draw() % 8 == 0)
                memset(&queue, (int)(draw() & 255), sizeof queue);
            boot();
        }
    }
    printf("%llu bytes fed, %u good frames among them answered, %u bad ones dropped\n", (unsigned long long)fed, pongs,
           (unsigned)device.reader.bad);
    return 0;
}
