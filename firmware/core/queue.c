#include "queue.h"

#include <stddef.h>
#include <string.h>

#include "bytes.h"
#include "crc16.h"

static void keep(struct kept16 *number, uint16_t value)
{
    number->value = value;
    number->complement = (uint16_t)~value;
}

static bool intact(const struct kept16 *number)
{
    return (number->value ^ number->complement) == UINT16_MAX;
}

static uint16_t check_of(const struct event *event)
{
    return crc16(CRC16_START, (const uint8_t *)event, offsetof(struct event, check));
}

static struct event *slot_of(const struct queue *queue, uint16_t seq)
{
    return (struct event *)&queue->slots[seq % QUEUE_SLOTS];
}

static uint8_t length_of(uint8_t kind)
{
    return kind == EVENT_DICE ? 7 : 2;
}

static void count_lost(struct kept16 *number, uint16_t more)
{
    keep(number, number->value > UINT16_MAX - more ? UINT16_MAX : (uint16_t)(number->value + more));
}

void queue_clear(struct queue *queue, uint32_t boot_id)
{
    memset(queue, 0, sizeof *queue);
    queue->boot_id = boot_id;
    queue->boot_id_complement = ~boot_id;
    queue->next_seq = 1;
    keep(&queue->acked, 0);
    keep(&queue->lost, 0);
    keep(&queue->untold, 0);
    keep(&queue->restarts, 0);
    keep(&queue->cause, 0);
    queue_keep_clock(queue, 0);
    for (uint8_t i = 0; i < QUEUE_SLOTS; i++) {
        queue->slots[i].seq = (uint16_t)(i - QUEUE_SLOTS + (i == 0 ? QUEUE_SLOTS : 0));
        queue->slots[i].check = check_of(&queue->slots[i]);
    }
}

/* Every slot holds one of the last QUEUE_SLOTS numbers, the blanks of the start included. At most one may be torn, and
   only the next to be written: the reset came in the middle of it. */
static bool find_newest(const struct queue *queue, uint16_t *newest, bool *torn)
{
    uint8_t found = 0, torn_slot = 0;
    for (uint8_t i = 0; i < QUEUE_SLOTS; i++) {
        const struct event *event = &queue->slots[i];
        if (event->check != check_of(event) || event->seq % QUEUE_SLOTS != i) {
            torn_slot = i;
            continue;
        }
        if (!found || (int16_t)(event->seq - *newest) > 0)
            *newest = event->seq;
        found++;
    }
    *torn = found < QUEUE_SLOTS;
    return found == QUEUE_SLOTS || (found == QUEUE_SLOTS - 1 && torn_slot == (*newest + 1) % QUEUE_SLOTS);
}

static void mend(struct kept16 *number)
{
    if (!intact(number))
        keep(number, number->value);
}

/* What was acknowledged; if that number was torn, everything that is still there waits again. */
static void recover_acked(struct queue *queue, bool torn)
{
    uint16_t newest = (uint16_t)(queue->next_seq - 1);
    uint8_t room = torn ? QUEUE_SLOTS - 1 : QUEUE_SLOTS;
    if (!intact(&queue->acked) || (uint16_t)(newest - queue->acked.value) > room)
        keep(&queue->acked, (uint16_t)(newest - room));
    while (queue_waiting(queue) && !slot_of(queue, queue_oldest(queue))->kind)
        keep(&queue->acked, queue_oldest(queue));
}

bool queue_recover(struct queue *queue)
{
    uint16_t newest = 0;
    bool torn = false;
    if (queue->boot_id != ~queue->boot_id_complement || !find_newest(queue, &newest, &torn))
        return false;
    queue->next_seq = (uint16_t)(newest + 1);
    mend(&queue->lost);
    mend(&queue->untold);
    mend(&queue->restarts);
    recover_acked(queue, torn);
    if (torn) {
        count_lost(&queue->lost, 1);
        count_lost(&queue->untold, 1);
    }
    if (queue->clock_ms != ~queue->clock_complement)
        queue_keep_clock(queue, slot_of(queue, newest)->t_ms);
    keep(&queue->restarts, (uint16_t)(queue->restarts.value + 1));
    return true;
}

static void append(struct queue *queue, uint8_t kind, uint32_t t_ms, const uint8_t data[EVENT_DATA_MAX])
{
    struct event *event = slot_of(queue, queue->next_seq);
    event->seq = queue->next_seq;
    event->t_ms = t_ms;
    event->kind = kind;
    memcpy(event->data, data, EVENT_DATA_MAX);
    event->check = check_of(event);
    queue->next_seq++;
}

static void tell_lost(struct queue *queue, uint32_t now_ms)
{
    uint8_t data[EVENT_DATA_MAX] = {0};
    if (!queue->untold.value || queue_waiting(queue) == QUEUE_SLOTS)
        return;
    put16(data, queue->untold.value);
    append(queue, EVENT_LOST, now_ms, data);
    keep(&queue->untold, 0);
}

void queue_push(struct queue *queue, uint8_t kind, uint32_t t_ms, const uint8_t data[EVENT_DATA_MAX])
{
    tell_lost(queue, t_ms);
    if (queue_waiting(queue) < QUEUE_SLOTS) {
        append(queue, kind, t_ms, data);
        return;
    }
    count_lost(&queue->lost, 1);
    count_lost(&queue->untold, 1);
}

bool queue_ack(struct queue *queue, uint16_t through, uint32_t now_ms)
{
    uint16_t done = (uint16_t)(through - queue->acked.value);
    if (!done || done > queue_waiting(queue))
        return false;
    keep(&queue->acked, through);
    tell_lost(queue, now_ms);
    return true;
}

uint8_t queue_buttons(const struct queue *queue, uint8_t otherwise)
{
    for (uint8_t back = 1; back <= QUEUE_SLOTS; back++) {
        const struct event *event = slot_of(queue, (uint16_t)(queue->next_seq - back));
        if (event->kind == EVENT_BUTTON && event->check == check_of(event))
            return event->data[BUTTON_ALL_DOWN];
    }
    return otherwise;
}

uint8_t queue_waiting(const struct queue *queue)
{
    return (uint8_t)(queue->next_seq - 1 - queue->acked.value);
}

uint16_t queue_oldest(const struct queue *queue)
{
    return (uint16_t)(queue->acked.value + 1);
}

uint8_t *queue_write(const struct queue *queue, uint8_t *at, const uint8_t *end)
{
    uint8_t waiting = queue_waiting(queue), written = 0;
    uint8_t *count;
    at = put16(at, queue_oldest(queue));
    count = at++;
    while (written < waiting) {
        const struct event *event = slot_of(queue, (uint16_t)(queue_oldest(queue) + written));
        uint8_t length = length_of(event->kind);
        if (end - at < 6 + length)
            break;
        at = put8(put32(put8(at, event->kind), event->t_ms), length);
        memcpy(at, event->data, length);
        at += length;
        written++;
    }
    *count = written;
    return at;
}

void queue_keep_clock(struct queue *queue, uint32_t now_ms)
{
    queue->clock_ms = now_ms;
    queue->clock_complement = ~now_ms;
}

void queue_keep_cause(struct queue *queue, uint8_t cause)
{
    keep(&queue->cause, cause);
}

uint8_t queue_take_cause(struct queue *queue)
{
    uint8_t cause = intact(&queue->cause) ? (uint8_t)queue->cause.value : 0;
    keep(&queue->cause, 0);
    return cause;
}
