/* The serial line to the simulated chip, byte by byte at the speed of the line, with the receiver's true depth. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <avr_uart.h>
#include <sim_avr.h>

#define LINE_ROOM 65536u /* a power of two */
#define LINE_DEPTH 3     /* two bytes in the receiver's buffer and one in its shift register */
#define LINE_BYTE_CYCLES 640 /* ten bits at 250,000 baud and 16 MHz */

struct line {
    avr_t *avr;
    avr_uart_t *uart;
    uint8_t to_chip[LINE_ROOM];
    uint32_t to_head, to_tail;
    uint8_t held[LINE_DEPTH]; /* arrived and not yet read; the first is the one simavr knows of */
    uint8_t held_count;
    bool offered; /* simavr has held[0] */
    bool running; /* bytes are arriving */
    uint8_t from_chip[LINE_ROOM];
    uint64_t from_cycle[LINE_ROOM]; /* when the last bit of each was sent */
    uint32_t from_head, from_tail;
    uint64_t sent_until;
    uint32_t dropped; /* bytes that came while the receiver was full */
};

void line_start(struct line *line, avr_t *avr);

/* After a reset of the chip: what it had not read is gone. */
void line_reset(struct line *line);

/* Bytes from the host; they arrive one after the other from now on. Returns how many found room. */
uint32_t line_send(struct line *line, const uint8_t *bytes, uint32_t count);

/* Takes bytes that the chip has finished sending by now. */
uint32_t line_take(struct line *line, uint8_t *bytes, uint64_t *cycles, uint32_t room);

/* Forgets what is under way in both directions: the cable was pulled. */
void line_cut(struct line *line);
