#include "lights.h"

#include <string.h>

#include "bytes.h"
#include "port.h"

#define REPEAT_MS 1000

static const struct style SAFE = {255, 120, 0, EFFECT_BLINK, 200};

/* The safe pattern: dark, with the status lamp blinking amber. */
static void show_safe(struct lights *lights, const struct settings *settings)
{
    memset(lights->lamps, 0, sizeof lights->lamps);
    if (settings->status_lamp < MAX_LAMPS)
        lights->lamps[settings->status_lamp] = 1 << 4;
    lights->styles[0] = SAFE;
    lights->style_count = 1;
    lights->brightness = 64;
    lights->has_frame = false;
    lights->must_show = true;
}

void lights_start(struct lights *lights, const struct settings *settings)
{
    memset(lights, 0, sizeof *lights);
    show_safe(lights, settings);
}

static enum lights_answer check(const uint8_t *body, uint8_t count)
{
    if (count < 7)
        return LIGHTS_BAD_LENGTH;
    uint8_t styles = body[5];
    if (styles > MAX_STYLES)
        return LIGHTS_BAD_VALUE;
    uint8_t lamps_at = 6 + 5 * styles;
    if (count <= lamps_at || count != lamps_at + 1 + body[lamps_at])
        return LIGHTS_BAD_LENGTH;
    if (body[lamps_at] > MAX_LAMPS)
        return LIGHTS_BAD_VALUE;
    for (uint8_t i = 0; i < styles; i++)
        if (body[6 + 5 * i + 3] >= EFFECTS || !body[6 + 5 * i + 4])
            return LIGHTS_BAD_VALUE;
    for (uint8_t i = 0; i < body[lamps_at]; i++)
        if (body[lamps_at + 1 + i] >> 4 > styles)
            return LIGHTS_BAD_VALUE;
    return LIGHTS_SHOWN;
}

enum lights_answer lights_take(struct lights *lights, const uint8_t *body, uint8_t count, uint32_t now_ms)
{
    enum lights_answer fault = check(body, count);
    if (fault != LIGHTS_SHOWN)
        return fault;
    uint16_t lease = get16(body + 2);
    lights->lease_ms = lease && lease < LEASE_MAX_MS ? lease : LEASE_MAX_MS;
    lights->renewed_ms = now_ms;
    if (lights->has_frame && lights->same_host && lights->frame_id == get16(body))
        return LIGHTS_RENEWED;
    lights->frame_id = get16(body);
    lights->has_frame = lights->same_host = lights->must_show = true;
    lights->brightness = body[4];
    lights->style_count = body[5];
    for (uint8_t i = 0; i < lights->style_count; i++) {
        const uint8_t *style = body + 6 + 5 * i;
        lights->styles[i] = (struct style){style[0], style[1], style[2], style[3], style[4]};
    }
    const uint8_t *lamps = body + 6 + 5 * lights->style_count;
    memset(lights->lamps, 0, sizeof lights->lamps);
    memcpy(lights->lamps, lamps + 1, lamps[0]);
    return LIGHTS_SHOWN;
}

bool lights_expire(struct lights *lights, const struct settings *settings, uint32_t now_ms)
{
    if (!lights->has_frame || now_ms - lights->renewed_ms < lights->lease_ms)
        return false;
    show_safe(lights, settings);
    return true;
}

void lights_forget(struct lights *lights)
{
    lights->same_host = false;
}

static uint8_t scale(uint8_t value, uint8_t by)
{
    return (uint8_t)((uint16_t)value * (by + 1) >> 8);
}

static uint8_t level(uint8_t effect, uint8_t at)
{
    switch (effect) {
    case EFFECT_BLINK:
        return at < 128 ? 255 : 0;
    case EFFECT_PULSE:
        return 40 + scale(at < 128 ? at << 1 : (uint8_t)(255 - at) << 1, 215);
    case EFFECT_CHASE:
        return at < 64 ? 255 : at < 128 ? 64 : 0;
    default:
        return 255;
    }
}

/* part x 256 / whole, bit by bit: a division would take ten times as long. `part` is smaller than `whole`. */
static uint8_t share(uint16_t part, uint16_t whole)
{
    uint8_t result = 0;
    for (uint8_t bit = 0x80; bit; bit >>= 1) {
        part <<= 1;
        if (part >= whole) {
            part -= whole;
            result |= bit;
        }
    }
    return result;
}

/* What the three colours have in common is left to the white LED: one current in place of three. */
static void part_white(uint8_t *lamp)
{
    uint8_t white = lamp[0];
    for (uint8_t i = 1; i < LAMP_BYTES; i++)
        if (lamp[i] < white)
            white = lamp[i];
    for (uint8_t i = 0; i < LAMP_BYTES; i++)
        lamp[i] -= white;
    lamp[LAMP_BYTES] = white;
}

/* Fills `picture` with green, red, blue and perhaps white for each lamp; returns the sum of all of it. */
static uint16_t paint(const struct lights *lights, const struct settings *settings, uint8_t brightness, uint32_t now_ms,
                      uint8_t *picture)
{
    uint8_t bytes = settings_bytes(settings), step = settings->white ? WHITE_LAMP_BYTES : LAMP_BYTES;
    memset(picture, 0, bytes);
    uint8_t at[MAX_STYLES];
    uint16_t sum = 0;
    for (uint8_t i = 0; i < lights->style_count; i++) {
        uint16_t period = lights->styles[i].period * 10u;
        at[i] = share((uint16_t)(now_ms % period), period);
    }
    for (uint8_t lamp = 0; lamp < settings->lamps; lamp++, picture += step) {
        uint8_t index = lights->lamps[lamp] >> 4, phase = (uint8_t)(lights->lamps[lamp] << 4);
        if (!index--)
            continue;
        const struct style *style = &lights->styles[index];
        uint8_t by = level(style->effect, (uint8_t)(at[index] + phase));
        picture[0] = scale(scale(style->green, by), brightness);
        picture[1] = scale(scale(style->red, by), brightness);
        picture[2] = scale(scale(style->blue, by), brightness);
        if (settings->white)
            part_white(picture);
        for (uint8_t i = 0; i < step; i++)
            sum += picture[i];
    }
    return sum;
}

/* value / 255 without dividing; right up to 65534. */
static uint8_t by_255(uint16_t value)
{
    return (uint8_t)((uint16_t)(value + 1 + (value >> 8)) >> 8);
}

/* 20 mA at 255 is what a channel of a WS2812 draws at most, and the white one of an SK6812, so 51/4 counts are one milliampere. */
static bool limit(uint8_t *picture, uint8_t bytes, uint16_t sum, uint16_t limit_ma)
{
    uint16_t most = (uint16_t)((uint32_t)limit_ma * 51 / 4);
    if (sum <= most)
        return false;
    uint8_t by = (uint8_t)((uint32_t)most * 255 / sum);
    for (uint8_t i = 0; i < bytes; i++)
        picture[i] = by_255((uint16_t)picture[i] * by);
    return true;
}

bool lights_paint(struct lights *lights, const struct settings *settings, uint32_t now_ms)
{
    uint8_t picture[STRIP_BYTES], bytes = settings_bytes(settings);
    uint8_t brightness = lights->brightness;
    uint8_t flags = 0;
    if (brightness > settings->max_brightness) {
        brightness = settings->max_brightness;
        flags |= LIGHTS_OVER_BRIGHTNESS;
    }
    uint16_t sum = paint(lights, settings, brightness, now_ms, picture);
    if (limit(picture, bytes, sum, settings->limit_ma))
        flags |= LIGHTS_OVER_CURRENT;
    lights->flags = flags;
    if (!lights->must_show && now_ms - lights->painted_ms < REPEAT_MS && !memcmp(picture, lights->shown, bytes))
        return false;
    memcpy(lights->shown, picture, bytes);
    memset(lights->shown + bytes, 0, sizeof lights->shown - bytes);
    lights->bytes = bytes;
    lights->shown_id = lights->frame_id;
    lights->must_show = false;
    lights->painted_ms = now_ms;
    return true;
}

void lights_show(struct lights *lights)
{
    /* lamps that are no longer driven must not stay lit */
    port_show(lights->shown, lights->bytes < lights->driven ? lights->driven : lights->bytes);
    lights->driven = lights->bytes;
}
