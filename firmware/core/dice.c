#include "dice.h"

#include <string.h>

#include "port.h"

#define FACE_MS 60
#define ENOUGH_SAMPLES 64
#define FEW_SAMPLES 1

/* One round of mixing by shifts, after Marsaglia's xorshift (2003), with an addition that leaves no fixed point. */
static uint32_t mix(uint32_t pool)
{
    pool ^= pool << 13;
    pool ^= pool >> 17;
    pool ^= pool << 5;
    return pool + 0x9E3779B9u;
}

void dice_start(struct dice *dice, uint32_t seed)
{
    memset(dice, 0, sizeof *dice);
    dice->pool = seed;
    dice->mode = DICE_FREE;
}

void dice_stir(struct dice *dice, uint16_t bits)
{
    dice->pool = mix(dice->pool + bits);
}

void dice_noise(struct dice *dice, uint16_t sample)
{
    if (sample != dice->last_noise && dice->samples != UINT16_MAX)
        dice->samples++;
    dice->last_noise = sample;
    dice_stir(dice, sample);
}

void dice_arm(struct dice *dice, uint8_t arm_id, uint8_t mode)
{
    if (dice->known && dice->arm_id == arm_id && dice->mode == mode)
        return;
    dice->known = true;
    dice->arm_id = arm_id;
    dice->mode = mode;
    dice->used = false;
}

void dice_forget(struct dice *dice)
{
    dice->known = false;
}

void dice_press(struct dice *dice, uint32_t now_ms)
{
    if (dice->tumbling || dice->mode == DICE_OFF || (dice->mode == DICE_ONCE && dice->used))
        return;
    dice->used = dice->tumbling = true;
    dice->until_ms = now_ms + TUMBLE_MS;
    dice->face_ms = now_ms;
}

bool dice_faces(uint32_t raw, uint8_t *first, uint8_t *second)
{
    uint8_t faces[2], found = 0;
    for (uint8_t group = 0; group < 10 && found < 2; group++, raw <<= 3) {
        uint8_t bits = (uint8_t)(raw >> 29);
        if (bits < 6)
            faces[found++] = bits + 1;
    }
    if (found < 2)
        return false;
    *first = faces[0];
    *second = faces[1];
    return true;
}

static void draw(struct dice *dice, struct roll *roll)
{
    do {
        dice->pool = mix(dice->pool);
        roll->raw = dice->pool;
    } while (!dice_faces(roll->raw, &roll->first, &roll->second));
    roll->flags = dice->samples < ENOUGH_SAMPLES ? FEW_SAMPLES : 0;
    roll->samples16 = dice->samples / 16 > 255 ? 255 : (uint8_t)(dice->samples / 16);
    dice->samples = 0;
    /* The raw bits are public: what comes next must not follow from them alone. */
    dice_stir(dice, dice->last_noise);
}

bool dice_tick(struct dice *dice, uint32_t now_ms, struct roll *roll)
{
    if (!dice->tumbling)
        return false;
    bool done = (int32_t)(now_ms - dice->until_ms) >= 0;
    if (done) {
        draw(dice, roll);
        dice->tumbling = false;
        dice->first = roll->first;
        dice->second = roll->second;
    } else if ((int32_t)(now_ms - dice->face_ms) >= 0) {
        dice->face_ms = now_ms + FACE_MS;
        dice->first = dice->first % 6 + 1; /* for the eye only: tells nothing about the pool */
        dice->second = (dice->second + 3) % 6 + 1;
    } else
        return false;
    port_dice(dice->first, dice->second);
    return done;
}
