#include "device.h"

#include <string.h>

#include "bytes.h"
#include "crc16.h"
#include "port.h"

#define EVENTS_MS 100
#define EVENTS_PAUSE_MS 20
#define PICTURE_MS 20
#define CAPS 0x001F

#ifndef BUILD_ID
#define BUILD_ID 0
#endif

enum type {
    HELLO = 0x01, PING, LIGHTS, BUZZ, DICE, SETTINGS, RESTART = 0x08, EVENT_ACK = 0x10,
    ANSWER = 0x80, EVENTS = 0x90, ERR = 0xFF
};
enum fault { FAULT_TYPE = 1, FAULT_LENGTH, FAULT_VALUE, FAULT_NO_HELLO };
enum button { BUTTON_ROLL };

static void send_from(struct device *device, const uint8_t *end)
{
    frame_send(device->out, (uint8_t)(end - device->out));
}

static void send_hello(struct device *device)
{
    static const uint8_t version[] = FIRMWARE_VERSION;
    uint8_t *at = put8(put8(put8(device->out, ANSWER | HELLO), PROTOCOL_MAJOR), PROTOCOL_MINOR);
    memcpy(at, version, sizeof version);
    at = put32(at + sizeof version, BUILD_ID);
    at = put8(put8(put8(at, device->hardware), device->settings.lamps), BUTTONS);
    at = put32(put32(put16(at, CAPS), device->board_id), device->queue->boot_id);
    at = put8(at, device->reset_cause);
    at = put16(put16(at, device->queue->next_seq), queue_oldest(device->queue));
    at = put16(at, device->queue->lost.value);
    send_from(device, put32(at, device->greeted ? device->host_session : 0));
}

static void send_fault(struct device *device, uint8_t type, uint8_t fault)
{
    send_from(device, put8(put8(put8(device->out, ERR), type), fault));
}

static void send_events(struct device *device)
{
    uint8_t *at = put32(put32(put8(device->out, EVENTS), device->queue->boot_id), device->now_ms);
    at = put16(at, device->queue->lost.value);
    send_from(device, queue_write(device->queue, at, device->out + MAX_EVENTS_PAYLOAD));
    device->events_ms = device->now_ms;
    device->events_due = false;
}

static void push(struct device *device, uint8_t kind, uint32_t t_ms, const uint8_t data[EVENT_DATA_MAX])
{
    queue_push(device->queue, kind, t_ms, data);
    device->events_due = true;
}

/* A boot loader may clear the flags. Then what was written down counts, and memory that is gone tells of a power cut. */
static uint8_t cause_of(const struct device_start *start, bool recovered)
{
    uint8_t cause = queue_take_cause(start->queue);
    if (start->reset_cause)
        return start->reset_cause;
    if (!recovered)
        return RESET_POWER_ON;
    return cause < RESET_CAUSES ? cause : RESET_UNKNOWN;
}

void device_start(struct device *device, const struct device_start *start)
{
    static const uint8_t usual[SETTINGS_SIZE] = SETTINGS_DEFAULT;
    memset(device, 0, sizeof *device);
    if (!start->settings || !settings_read(&device->settings, start->settings))
        settings_read(&device->settings, usual);
    device->queue = start->queue;
    device->hardware = start->hardware;
    device->board_id = start->board_id;
    debounce_start(&device->buttons, start->contacts);
    dice_start(&device->dice, start->seed);
    lights_start(&device->lights, &device->settings);
    bool recovered = queue_recover(device->queue);
    device->reset_cause = cause_of(start, recovered);
    if (recovered) {
        device->now_ms = device->queue->clock_ms;
        uint16_t restarts = device->queue->restarts.value;
        push(device, EVENT_RESTARTED, device->now_ms, (uint8_t[EVENT_DATA_MAX]){device->reset_cause, (uint8_t)restarts});
        debounce_start(&device->buttons, queue_buttons(device->queue, start->contacts));
    } else
        queue_clear(device->queue, start->new_boot_id());
    send_hello(device);
}

static uint8_t take_hello(struct device *device, const uint8_t *body, uint8_t count)
{
    if (count < 2)
        return FAULT_LENGTH;
    if (body[0] != PROTOCOL_MAJOR) { /* no greeting; it can make sense of these two bytes only */
        send_from(device, put8(put8(put8(device->out, ANSWER | HELLO), PROTOCOL_MAJOR), PROTOCOL_MINOR));
        return 0;
    }
    if (count < 6)
        return FAULT_LENGTH;
    uint32_t session = get32(body + 2);
    if (!session)
        return FAULT_VALUE;
    if (session != device->host_session) { /* frames and patterns of another host count from anew */
        device->host_session = session;
        lights_forget(&device->lights);
        dice_forget(&device->dice);
        device->buzzer.any = false;
    }
    if (!device->greeted)
        device->events_due = queue_waiting(device->queue);
    device->greeted = true;
    send_hello(device);
    return 0;
}

static uint8_t take_ping(struct device *device, const uint8_t *body, uint8_t count)
{
    if (count != 2)
        return FAULT_LENGTH;
    uint8_t *at = put16(put8(device->out, ANSWER | PING), get16(body));
    at = put16(put32(at, device->now_ms), device->reader.bad);
    at = put16(put16(at, port_overruns()), device->queue->lost.value);
    send_from(device, put16(at, port_free_ram()));
    return 0;
}

static void answer_lights(struct device *device)
{
    const struct lights *lights = &device->lights;
    uint16_t shown = crc16(CRC16_START, lights->shown, settings_bytes(&device->settings));
    uint8_t *at = put16(put16(put8(device->out, ANSWER | LIGHTS), lights->shown_id), lights->lease_ms);
    send_from(device, put8(put16(at, shown), lights->flags));
    device->lights_answer = false;
}

static uint8_t take_lights(struct device *device, const uint8_t *body, uint8_t count)
{
    switch (lights_take(&device->lights, body, count, device->now_ms)) {
    case LIGHTS_SHOWN:
        device->lights_asked = true;
        return 0;
    case LIGHTS_RENEWED:
        if (!device->lights_asked && !device->lights_answer) /* else the answer comes when it is in the strip */
            answer_lights(device);
        return 0;
    case LIGHTS_BAD_LENGTH:
        return FAULT_LENGTH;
    default:
        return FAULT_VALUE;
    }
}

static uint8_t take_buzz(struct device *device, const uint8_t *body, uint8_t count)
{
    if (count < 2 || count != 2 + 2 * (uint16_t)body[1])
        return FAULT_LENGTH;
    if (body[1] > MAX_STEPS)
        return FAULT_VALUE;
    buzzer_play(&device->buzzer, body[0], body + 2, body[1], device->now_ms);
    send_from(device, put8(put8(device->out, ANSWER | BUZZ), body[0]));
    return 0;
}

static uint8_t take_dice(struct device *device, const uint8_t *body, uint8_t count)
{
    if (count != 2)
        return FAULT_LENGTH;
    if (body[1] >= DICE_MODES)
        return FAULT_VALUE;
    dice_arm(&device->dice, body[0], body[1]);
    send_from(device, put8(put8(put8(device->out, ANSWER | DICE), body[0]), body[1]));
    return 0;
}

static uint8_t take_settings(struct device *device, const uint8_t *body, uint8_t count)
{
    if (count && count != SETTINGS_SIZE)
        return FAULT_LENGTH;
    if (count && !settings_read(&device->settings, body))
        return FAULT_VALUE;
    put8(device->out, ANSWER | SETTINGS);
    settings_write(&device->settings, device->out + 1);
    if (count) {
        port_keep_settings(device->out + 1);
        device->lights.must_show = true;
    }
    send_from(device, device->out + 1 + SETTINGS_SIZE);
    return 0;
}

static uint8_t take_restart(struct device *device, const uint8_t *body, uint8_t count)
{
    if (count != 4)
        return FAULT_LENGTH;
    if (memcmp(body, "BOOT", 4))
        return FAULT_VALUE;
    send_from(device, put8(device->out, ANSWER | RESTART));
    port_restart();
    return 0;
}

static uint8_t take_ack(struct device *device, const uint8_t *body, uint8_t count)
{
    if (count != 6)
        return FAULT_LENGTH;
    if (get32(body) == device->queue->boot_id && queue_ack(device->queue, get16(body + 4), device->now_ms))
        device->events_due = queue_waiting(device->queue);
    return 0;
}

static uint8_t take(struct device *device, uint8_t type, const uint8_t *body, uint8_t count)
{
    if (type == HELLO)
        return take_hello(device, body, count);
    if (!device->greeted)
        return FAULT_NO_HELLO;
    switch (type) {
    case PING: return take_ping(device, body, count);
    case LIGHTS: return take_lights(device, body, count);
    case BUZZ: return take_buzz(device, body, count);
    case DICE: return take_dice(device, body, count);
    case SETTINGS: return take_settings(device, body, count);
    case RESTART: return take_restart(device, body, count);
    case EVENT_ACK: return take_ack(device, body, count);
    default: return FAULT_TYPE;
    }
}

/* Events that come one upon the other are told together. */
static bool must_send_events(const struct device *device)
{
    return device->greeted && device->events_due && device->now_ms - device->events_ms >= EVENTS_PAUSE_MS;
}

bool device_ready(const struct device *device, uint8_t byte)
{
    if (byte || !device->reader.count)
        return true;
    return port_room() >= (must_send_events(device) ? FRAME_ROOM(MAX_EVENTS_PAYLOAD) : ANSWER_ROOM);
}

void device_byte(struct device *device, uint8_t byte)
{
    uint8_t count = frame_read(&device->reader, byte);
    if (!count)
        return;
    const uint8_t *payload = device->reader.bytes;
    uint8_t fault = take(device, payload[0], payload + 1, count - 1);
    if (fault)
        send_fault(device, payload[0], fault);
}

static void tick_buttons(struct device *device, uint8_t contacts)
{
    uint8_t reported = device->buttons.down;
    uint8_t changed = debounce_take(&device->buttons, contacts, device->now_ms, device->settings.debounce_ms);
    for (uint8_t button = 0; button < BUTTONS; button++) {
        if (!(changed >> button & 1))
            continue;
        uint8_t down = device->buttons.down >> button & 1;
        reported ^= (uint8_t)(1 << button);
        uint32_t since = debounce_since(&device->buttons, button, device->now_ms);
        push(device, EVENT_BUTTON, since, (uint8_t[EVENT_DATA_MAX]){button, down, reported});
        if (down && button == BUTTON_ROLL)
            dice_press(&device->dice, device->now_ms);
    }
}

static void tick_dice(struct device *device)
{
    struct roll roll = {0};
    uint8_t data[EVENT_DATA_MAX];
    if (!dice_tick(&device->dice, device->now_ms, &roll))
        return;
    uint8_t *at = put8(put8(data, (uint8_t)(roll.first << 4 | roll.second)), roll.flags);
    put8(put32(at, roll.raw), roll.samples16);
    push(device, EVENT_DICE, device->now_ms, data);
}

static void show_lights(struct device *device)
{
    lights_show(&device->lights);
    device->lights_painted = false;
    if (device->lights_answer)
        answer_lights(device);
}

static void paint_lights(struct device *device)
{
    device->lights_ms = device->now_ms;
    device->lights_answer = device->lights_asked;
    device->lights_asked = false;
    device->lights_painted = lights_paint(&device->lights, &device->settings, device->now_ms);
}

static void tick_lease(struct device *device)
{
    uint8_t data[EVENT_DATA_MAX] = {0};
    put16(data, device->lights.frame_id);
    if (lights_expire(&device->lights, &device->settings, device->now_ms))
        push(device, EVENT_LEASE_OVER, device->now_ms, data);
}

/* What takes a millisecond or two, one at a time: what comes in meanwhile has to be taken in between. Returns for how many
   milliseconds nothing of the kind may follow. */
static uint8_t work(struct device *device)
{
    if (device->lights_painted) {
        show_lights(device);
        return 3;
    }
    if (must_send_events(device) && port_room() >= FRAME_ROOM(MAX_EVENTS_PAYLOAD)) {
        send_events(device);
        return 2;
    }
    if (device->lights_asked || device->now_ms - device->lights_ms >= PICTURE_MS) {
        paint_lights(device);
        return 2;
    }
    return 0;
}

void device_tick(struct device *device, uint8_t contacts)
{
    device->now_ms++;
    queue_keep_clock(device->queue, device->now_ms);
    tick_buttons(device, contacts);
    tick_dice(device);
    buzzer_tick(&device->buzzer, device->now_ms);
    tick_lease(device);
    if (queue_waiting(device->queue) && device->now_ms - device->events_ms >= EVENTS_MS)
        device->events_due = true;
    if (device->rest_ms)
        device->rest_ms--;
    if (!device->rest_ms)
        device->rest_ms = work(device);
}
