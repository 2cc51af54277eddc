/* The picture on the lamps: styles with effects, brightness, the current limit and the lease. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "limits.h"
#include "settings.h"

#define LEASE_MAX_MS 2000

enum effect { EFFECT_STEADY, EFFECT_BLINK, EFFECT_PULSE, EFFECT_CHASE, EFFECTS };
enum lights_flags { LIGHTS_OVER_CURRENT = 1, LIGHTS_OVER_BRIGHTNESS = 2 };

struct style {
    uint8_t red, green, blue, effect, period;
};

struct lights {
    uint8_t lamps[MAX_LAMPS];
    struct style styles[MAX_STYLES];
    uint8_t shown[STRIP_BYTES]; /* green, red, blue and perhaps white, as they go into the strip */
    uint16_t frame_id, shown_id, lease_ms; /* shown_id: the frame that `shown` is a picture of */
    uint32_t renewed_ms, painted_ms;
    uint8_t brightness, style_count, flags;
    uint8_t bytes, driven; /* of `shown`: how many go into the strip, and how many did when it was last written */
    bool has_frame; /* else the safe pattern */
    bool same_host; /* frame_id was given by the host that speaks now */
    bool must_show; /* the next picture is shown even if nothing changed */
};

enum lights_answer { LIGHTS_SHOWN, LIGHTS_RENEWED, LIGHTS_BAD_LENGTH, LIGHTS_BAD_VALUE };

void lights_start(struct lights *lights, const struct settings *settings);

/* Takes the body of a LIGHTS request: a new frame, or one more lease for the frame that is shown. */
enum lights_answer lights_take(struct lights *lights, const uint8_t *body, uint8_t count, uint32_t now_ms);

/* Goes to the safe pattern if the lease is over; true in that moment. */
bool lights_expire(struct lights *lights, const struct settings *settings, uint32_t now_ms);

/* Forgets which frame is shown, so that the next one counts as new whatever its number. */
void lights_forget(struct lights *lights);

/* Works the picture out; true if it has to be shown: it changed, is new, or was last shown a second ago. */
bool lights_paint(struct lights *lights, const struct settings *settings, uint32_t now_ms);

/* Writes the picture into the strip. */
void lights_show(struct lights *lights);
