/* The whole device: requests in, answers and events out. It knows no register; the target calls it and is called through port.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "buzzer.h"
#include "debounce.h"
#include "dice.h"
#include "frame.h"
#include "lights.h"
#include "queue.h"
#include "settings.h"

enum reset_cause { RESET_UNKNOWN, RESET_POWER_ON, RESET_LINE, RESET_BROWN_OUT, RESET_WATCHDOG, RESET_ASKED, RESET_CAUSES };

struct device {
    struct queue *queue;
    struct settings settings;
    struct lights lights;
    struct debounce buttons;
    struct dice dice;
    struct buzzer buzzer;
    struct frame_reader reader;
    uint8_t out[MAX_EVENTS_PAYLOAD + 2]; /* room for the CRC */
    uint32_t now_ms, events_ms, lights_ms, board_id, host_session;
    uint8_t hardware, reset_cause;
    uint8_t rest_ms;    /* until something that takes long may be done again */
    bool greeted;       /* a host said HELLO since the start */
    bool events_due;
    bool lights_asked;  /* a picture waits to be painted */
    bool lights_answer; /* LIGHTS_OK follows when the painted picture is in the strip */
    bool lights_painted; /* it waits to be shown */
};

/* What the target found out before the core starts. `queue` lies in memory that a restart leaves alone; `reset_cause` is
   unknown where a boot loader cleared the chip's flags, and the core goes by what was written down. */
struct device_start {
    struct queue *queue;
    uint8_t hardware; /* the chip's number in the protocol */
    uint8_t reset_cause, contacts;
    uint32_t board_id, seed;
    uint32_t (*new_boot_id)(void); /* one that was never used; asked only if the queue did not survive */
    const uint8_t *settings; /* a record, or NULL where there is none */
};

void device_start(struct device *device, const struct device_start *start);

/* Whether this byte from the host may be handed over now. One that ends a frame has to wait until its answer finds room, and
   the events that wait for some before it. So nothing the host sends keeps events waiting, or the chip. */
bool device_ready(const struct device *device, uint8_t byte);

/* A byte from the host. */
void device_byte(struct device *device, uint8_t byte);

/* One millisecond has gone by. `contacts`: one bit for each button that is held. */
void device_tick(struct device *device, uint8_t contacts);
