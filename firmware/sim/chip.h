/* An ATmega328P or an ATmega2560 that runs the real firmware, with everything that is wired to it. Time is counted in cycles of 16 MHz.
   The same calls give the same results to the bit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CHIP_HZ 16000000u
#define CHIP_EEPROM 1024
#define LOADER_AT_OLD 0x7800 /* where boot loaders of 2,048 and of 512 bytes begin */
#define LOADER_AT_OPTIBOOT 0x7E00

struct chip;

enum chip_reset { CHIP_RESET_LINE, CHIP_POWER_CUT };

/* NULL if the firmware cannot be read or the chip is neither atmega328p nor atmega2560. `noise_seed` chooses what the open analogue input hears. */
struct chip *chip_new(const char *elf, const char *name, uint32_t noise_seed);
void chip_free(struct chip *chip);

/* Puts a boot loader, a raw image, at an address where the chip begins after each reset from now on. The first one comes with
   this call: the power comes on. False if the image cannot be read. */
bool chip_loader(struct chip *chip, const char *image, uint32_t at);

/* Runs until the cycle, or a few further: an instruction is never cut. Returns false if the program crashed. */
bool chip_run(struct chip *chip, uint64_t until);
uint64_t chip_cycle(const struct chip *chip);

uint32_t chip_send(struct chip *chip, const uint8_t *bytes, uint32_t count);
uint32_t chip_take(struct chip *chip, uint8_t *bytes, uint64_t *cycles, uint32_t room);
void chip_unplug(struct chip *chip);
uint32_t chip_dropped(const struct chip *chip);

/* A contact closes or opens, at once and without bouncing. */
void chip_contact(struct chip *chip, uint8_t button, bool closed);

/* A power cut also wipes the memory; the EEPROM stays. */
void chip_reset(struct chip *chip, enum chip_reset kind);

/* The last picture on the strip: its bytes, how many, and the cycle at which it began. */
uint32_t chip_strip(struct chip *chip, uint8_t *bytes, uint32_t room, uint64_t *cycle);
uint32_t chip_strip_pictures(struct chip *chip);
uint32_t chip_strip_faults(struct chip *chip);
uint64_t chip_strip_longest_gap(struct chip *chip);

/* Bytes of memory that nothing was written to since the last power cut: what variables and stack have left. */
uint32_t chip_untouched(const struct chip *chip);

/* How often the watchdog reset the chip. */
uint32_t chip_bites(const struct chip *chip);

/* LEDs of the dice, four bits a die: middle, two diagonals, the pair between. */
uint8_t chip_dice(struct chip *chip);

/* The buzzer's tone in hertz, 0 is silence. */
uint32_t chip_tone(struct chip *chip);

/* Stops the noise: the input is dead. */
void chip_silence(struct chip *chip);

void chip_eeprom_get(struct chip *chip, uint8_t *bytes);
void chip_eeprom_set(struct chip *chip, const uint8_t *bytes);
