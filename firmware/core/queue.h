/* Events that wait for the host's acknowledgement. The structure lies in memory that a restart does not clear. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"

#define EVENT_DATA_MAX 7

#define BUTTON_ALL_DOWN 2 /* the byte of a button event's data that stays here: all buttons that are down after it */

enum event_kind { EVENT_DICE = 1, EVENT_BUTTON, EVENT_RESTARTED, EVENT_LOST, EVENT_LEASE_OVER };

struct event {
    uint32_t t_ms;
    uint16_t seq;
    uint8_t kind;
    uint8_t data[EVENT_DATA_MAX];
    uint16_t check; /* CRC over all of the above: tells what survived a restart */
};

/* A number next to its complement, so that one torn in half by a reset is seen. */
struct kept16 {
    uint16_t value, complement;
};

struct queue {
    uint32_t boot_id, boot_id_complement;
    uint32_t clock_ms, clock_complement;
    struct kept16 acked, lost, untold, restarts; /* untold: lost, but no event says so yet */
    struct kept16 cause; /* of the restart that the chip is about to make by itself; 0: none */
    struct event slots[QUEUE_SLOTS];
    uint16_t next_seq; /* worked out anew at every start */
};

/* Starts numbering afresh. */
void queue_clear(struct queue *queue, uint32_t boot_id);

/* Puts the queue in order after a restart. Returns false if the memory did not survive: clear it then. */
bool queue_recover(struct queue *queue);

/* Appends an event or counts it as lost. The kind says how many of the bytes of `data` go to the host. */
void queue_push(struct queue *queue, uint8_t kind, uint32_t t_ms, const uint8_t data[EVENT_DATA_MAX]);

/* The buttons that the newest button event left down, or `otherwise` if none is there any more. */
uint8_t queue_buttons(const struct queue *queue, uint8_t otherwise);

/* Forgets the events up to `through`; numbers that were never sent are passed over. True if any was forgotten. */
bool queue_ack(struct queue *queue, uint16_t through, uint32_t now_ms);

/* How many events wait; the oldest has the number queue_oldest. */
uint8_t queue_waiting(const struct queue *queue);
uint16_t queue_oldest(const struct queue *queue);

/* Writes first_seq, the count, and as many waiting events as fit before `end`; returns where it stopped. */
uint8_t *queue_write(const struct queue *queue, uint8_t *at, const uint8_t *end);

/* Writes down why the chip is about to restart: no boot loader can take that away. */
void queue_keep_cause(struct queue *queue, uint8_t cause);

/* The cause that was written down before this start, once; 0 if there is none. */
uint8_t queue_take_cause(struct queue *queue);

/* The chip's clock goes on over a restart from what was kept here. */
void queue_keep_clock(struct queue *queue, uint32_t now_ms);
