/* Two dice: a pool of noise, rolls made from its bits, and the tumbling before the result. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TUMBLE_MS 600

enum dice_mode { DICE_OFF, DICE_FREE, DICE_ONCE, DICE_MODES };

struct dice {
    uint32_t pool;
    uint16_t samples, last_noise;
    uint8_t mode, arm_id;
    bool known; /* arm_id was given by the host that speaks now */
    bool used; /* the one roll of DICE_ONCE is thrown */
    bool tumbling;
    uint8_t first, second; /* as shown, 0 is dark */
    uint32_t until_ms, face_ms;
};

struct roll {
    uint8_t first, second, flags, samples16;
    uint32_t raw;
};

void dice_start(struct dice *dice, uint32_t seed);

/* Stirs bits that nobody can foretell into the pool. */
void dice_stir(struct dice *dice, uint16_t bits);

/* A sample of noise; counts only if it differs from the one before, so that a dead input is noticed. */
void dice_noise(struct dice *dice, uint16_t sample);

/* Arms the dice; an arm_id that is already known changes nothing. */
void dice_arm(struct dice *dice, uint8_t arm_id, uint8_t mode);

/* Another host counts its arm_ids from anew; the mode stays until it says otherwise. */
void dice_forget(struct dice *dice);

/* The roll button was pressed. */
void dice_press(struct dice *dice, uint32_t now_ms);

/* Moves the dice on; true once for each roll, which is then in `roll`. */
bool dice_tick(struct dice *dice, uint32_t now_ms, struct roll *roll);

/* The faces that `raw` stands for; false if it holds fewer than two. */
bool dice_faces(uint32_t raw, uint8_t *first, uint8_t *second);
