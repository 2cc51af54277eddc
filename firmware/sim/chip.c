#include "chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avr_adc.h>
#include <avr_eeprom.h>
#include <avr_extint.h>
#include <avr_ioport.h>
#include <avr_watchdog.h>
#include <sim_avr.h>
#include <sim_cycle_timers.h>
#include <sim_elf.h>
#include <sim_io.h>

#include "line.h"
#include "strip.h"

#define BUTTONS 8
#define NOISE_CHANNEL 7

/* Data addresses of registers (register summaries of the data sheets, the same in both chips) that are read as a probe would
   read the pins. */
#define MCUSR_AT 0x54
#define MCUSR_PORF 1
#define MCUSR_EXTRF 2
#define MCUSR_WDRF 8
#define TCCR2A_AT 0xB0
#define TCCR2B_AT 0xB1
#define OCR2A_AT 0xB3
#define PORTA_AT 0x22
#define PORTB_AT 0x25
#define PORTC_AT 0x28
#define WDTCSR_AT 0x60
#define WDTCSR_WDIF 0x80
#define WDTCSR_WDIE 0x40
#define WDTCSR_WDE 0x08
#define SHORTEST_CYCLES (CHIP_HZ / 1000 * 16)
#define FRESH 0xA5 /* what memory holds when the power comes on */
#define MOST_RAM 8192

/* What differs between the chips: memory, and what is wired where (avr/pins_*.h). */
struct kind {
    const char *name;
    uint16_t ram_at, ram_bytes;
    uint32_t flash_bytes;
    uint8_t watchdog_vector, strip_bit;
    bool mega;
};

static const struct kind KINDS[] = {
    {.name = "atmega328p", .ram_at = 0x100, .ram_bytes = 2048, .flash_bytes = 32768, .watchdog_vector = 6, .strip_bit = 0},
    {.name = "atmega2560", .ram_at = 0x200, .ram_bytes = 8192, .flash_bytes = 262144, .watchdog_vector = 12, .strip_bit = 5,
     .mega = true},
};

struct chip {
    const struct kind *kind;
    avr_t *avr;
    struct line line;
    struct strip strip;
    avr_irq_t *contacts[BUTTONS];
    uint8_t closed;
    uint32_t noise;
    bool silent, stop;
    avr_watchdog_t *watchdog;
    uint32_t bites;
    avr_run_t run;
};

static void hush(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    (void)level;
    (void)format;
    (void)arguments;
}

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

static void on_strip(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct chip *chip = param;
    (void)irq;
    strip_edge(&chip->strip, value & 1, chip->avr->cycle);
}

/* Marsaglia's xorshift (2003): a few millivolts around the middle, as an open input has. */
static void on_conversion(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct chip *chip = param;
    (void)irq;
    (void)value;
    if (!chip->silent) {
        chip->noise ^= chip->noise << 13;
        chip->noise ^= chip->noise >> 17;
        chip->noise ^= chip->noise << 5;
    }
    avr_irq_t *input = avr_io_getirq(chip->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + NOISE_CHANNEL);
    avr_raise_irq(input, 2400 + chip->noise % 200);
}

/* simavr passes changes only, and forgets the level over a reset. It also takes an input with a pull-up for open at every
   write to its port, unless it is told that something outside pulls stronger. */
static void set_contact(struct chip *chip, uint8_t button)
{
    avr_irq_t *irq = chip->contacts[button];
    bool level = !(chip->closed >> button & 1);
    uint8_t open = (uint8_t)~chip->closed;
    if (chip->kind->mega) {
        avr_ioport_external_t on_k = {.name = 'K', .mask = 0xFF, .value = open};
        avr_ioctl(chip->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('K'), &on_k);
    } else {
        avr_ioport_external_t on_d = {.name = 'D', .mask = 0xFC, .value = (uint8_t)(open << 2)};
        avr_ioport_external_t on_b = {.name = 'B', .mask = 0x06, .value = (uint8_t)(open >> 5)};
        avr_ioctl(chip->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &on_d);
        avr_ioctl(chip->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('B'), &on_b);
    }
    irq->value = !level;
    avr_raise_irq(irq, level);
}

static void set_contacts(struct chip *chip)
{
    for (uint8_t button = 0; button < BUTTONS; button++)
        set_contact(chip, button);
}

/* Once it has asked for its interrupt, simavr's watchdog waits for ever; a real one resets the chip at the next time-out if
   nothing answered by then. Taking the interrupt's permission away has simavr do that. */
static avr_cycle_count_t on_second_timeout(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct chip *chip = param;
    (void)when;
    avr->data[WDTCSR_AT] &= (uint8_t)~(WDTCSR_WDIF | WDTCSR_WDIE);
    chip->watchdog->cycle_count = 1;
    avr_ioctl(avr, AVR_IOCTL_WATCHDOG_RESET, NULL);
    return 0;
}

static void on_timeout(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct chip *chip = param;
    (void)irq;
    avr_cycle_timer_cancel(chip->avr, on_second_timeout, chip);
    if (value && chip->avr->data[WDTCSR_AT] & WDTCSR_WDE)
        avr_cycle_timer_register(chip->avr, chip->watchdog->cycle_count, on_second_timeout, chip);
}

static void wire_watchdog(struct chip *chip)
{
    for (avr_io_t *io = chip->avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "watchdog"))
            chip->watchdog = (avr_watchdog_t *)io;
    avr_irq_t *asked = avr_get_interrupt_irq(chip->avr, chip->kind->watchdog_vector);
    avr_irq_register_notify(asked + AVR_INT_IRQ_PENDING, on_timeout, chip);
}

static void wire(struct chip *chip)
{
    avr_t *avr = chip->avr;
    for (uint8_t button = 0; button < BUTTONS; button++) {
        char port = chip->kind->mega ? 'K' : button < 6 ? 'D' : 'B';
        int pin = chip->kind->mega ? button : button < 6 ? button + 2 : button - 5;
        chip->contacts[button] = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin);
    }
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), chip->kind->strip_bit), on_strip, chip);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_conversion, chip);
    wire_watchdog(chip);
    line_start(&chip->line, avr);
    set_contacts(chip);
}

static const struct kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (!strcmp(KINDS[i].name, name))
            return &KINDS[i];
    return NULL;
}

struct chip *chip_new(const char *elf, const char *name, uint32_t noise_seed)
{
    const struct kind *kind = find_kind(name);
    elf_firmware_t firmware = {0};
    avr_global_logger_set(hush);
    avr_t *avr = kind ? avr_make_mcu_by_name(kind->name) : NULL;
    struct chip *chip = calloc(1, sizeof *chip);
    if (!avr || !chip || elf_read_firmware(elf, &firmware)) {
        free(chip);
        return NULL;
    }
    avr_init(avr);
    firmware.frequency = CHIP_HZ;
    firmware.vcc = firmware.avcc = firmware.aref = 5000;
    avr_load_firmware(avr, &firmware);
    avr->frequency = CHIP_HZ;
    avr->sleep = no_sleep;
    chip->kind = kind;
    chip->avr = avr;
    chip->run = avr->run;
    chip->noise = noise_seed ? noise_seed : 1;
    wire(chip);
    chip_reset(chip, CHIP_POWER_CUT);
    return chip;
}

void chip_free(struct chip *chip)
{
    avr_terminate(chip->avr);
    free(chip);
}

static avr_cycle_count_t stop(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr;
    (void)when;
    ((struct chip *)param)->stop = true;
    return 0;
}

/* Two buttons of the Nano sit on pins that could interrupt for as long as they are low. simavr looks at such a pin at every cycle
   while it is low, also where nobody asked for that interrupt, as the firmware never does. */
static void leave_low_pins_alone(avr_t *avr)
{
    for (uint8_t pin = 0; pin < EXTINT_COUNT; pin++)
        avr_extint_set_strict_lvl_trig(avr, pin, 0);
}

/* simavr's reset may clear the memory and forgets contacts and timers; that of a real chip leaves the memory alone. */
static void reset_by(struct chip *chip, void (*reset)(avr_t *avr))
{
    avr_t *avr = chip->avr;
    uint8_t memory[MOST_RAM], *ram = avr->data + chip->kind->ram_at;
    uint64_t cycle = avr->cycle;
    memcpy(memory, ram, chip->kind->ram_bytes);
    reset(avr);
    memcpy(ram, memory, chip->kind->ram_bytes);
    avr->cycle = cycle;
    leave_low_pins_alone(avr);
    set_contacts(chip);
    line_reset(&chip->line);
}

static void expect_stop(struct chip *chip, uint64_t until)
{
    if (until > chip->avr->cycle)
        avr_cycle_timer_register(chip->avr, until - chip->avr->cycle, stop, chip);
}

bool chip_run(struct chip *chip, uint64_t until)
{
    avr_t *avr = chip->avr;
    chip->stop = until <= avr->cycle;
    expect_stop(chip, until);
    while (!chip->stop && avr->cycle < until) {
        if (avr->run != chip->run) { /* the watchdog has put its reset in place of the next step */
            chip->bites++;
            reset_by(chip, avr->run);
            expect_stop(chip, until);
            continue;
        }
        avr_run(avr);
        if (avr->state == cpu_Done || avr->state == cpu_Crashed)
            return false;
    }
    avr_cycle_timer_cancel(avr, stop, chip);
    return true;
}

uint64_t chip_cycle(const struct chip *chip)
{
    return chip->avr->cycle;
}

uint32_t chip_send(struct chip *chip, const uint8_t *bytes, uint32_t count)
{
    return line_send(&chip->line, bytes, count);
}

uint32_t chip_take(struct chip *chip, uint8_t *bytes, uint64_t *cycles, uint32_t room)
{
    return line_take(&chip->line, bytes, cycles, room);
}

void chip_unplug(struct chip *chip)
{
    line_cut(&chip->line);
}

uint32_t chip_dropped(const struct chip *chip)
{
    return chip->line.dropped;
}

void chip_contact(struct chip *chip, uint8_t button, bool closed)
{
    uint8_t bit = (uint8_t)(1 << button);
    chip->closed = closed ? chip->closed | bit : chip->closed & (uint8_t)~bit;
    set_contact(chip, button);
}

void chip_reset(struct chip *chip, enum chip_reset kind)
{
    avr_t *avr = chip->avr;
    uint8_t flags = avr->data[MCUSR_AT];
    reset_by(chip, avr_reset);
    if (kind == CHIP_POWER_CUT) {
        memset(avr->data + chip->kind->ram_at, FRESH, chip->kind->ram_bytes);
        avr->data[MCUSR_AT] = MCUSR_PORF;
        return;
    }
    avr->data[MCUSR_AT] = flags | MCUSR_EXTRF;
    if (flags & MCUSR_WDRF) { /* as long as this flag stands the watchdog is on, and after a reset at its shortest */
        avr->data[WDTCSR_AT] |= WDTCSR_WDE;
        chip->watchdog->cycle_count = SHORTEST_CYCLES;
        avr_ioctl(avr, AVR_IOCTL_WATCHDOG_RESET, NULL);
    }
}

uint32_t chip_strip(struct chip *chip, uint8_t *bytes, uint32_t room, uint64_t *cycle)
{
    strip_settle(&chip->strip, chip->avr->cycle);
    uint32_t count = chip->strip.shown_bytes < room ? chip->strip.shown_bytes : room;
    memcpy(bytes, chip->strip.shown, count);
    *cycle = chip->strip.shown_cycle;
    return count;
}

uint32_t chip_strip_pictures(struct chip *chip)
{
    strip_settle(&chip->strip, chip->avr->cycle);
    return chip->strip.pictures;
}

uint32_t chip_strip_faults(struct chip *chip)
{
    return chip->strip.faults;
}

uint64_t chip_strip_longest_gap(struct chip *chip)
{
    return chip->strip.longest_gap;
}

/* The longest run of bytes as they were when the power came on. */
uint32_t chip_untouched(const struct chip *chip)
{
    uint32_t longest = 0, run = 0;
    for (uint32_t i = 0; i < chip->kind->ram_bytes; i++) {
        run = chip->avr->data[chip->kind->ram_at + i] == FRESH ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

uint32_t chip_bites(const struct chip *chip)
{
    return chip->bites;
}

bool chip_loader(struct chip *chip, const char *image, uint32_t at)
{
    uint32_t room = chip->kind->flash_bytes;
    FILE *file = at < room ? fopen(image, "rb") : NULL;
    size_t size = file ? fread(chip->avr->flash + at, 1, room - at, file) : 0;
    if (file)
        fclose(file);
    if (!size)
        return false;
    chip->avr->reset_pc = at;
    chip_reset(chip, CHIP_POWER_CUT);
    return true;
}

uint8_t chip_dice(struct chip *chip)
{
    const uint8_t *data = chip->avr->data;
    if (chip->kind->mega)
        return data[PORTA_AT];
    return (uint8_t)((data[PORTC_AT] & 0x3F) | (data[PORTB_AT] & 0x30) << 2);
}

/* Timer 2 turns the pin over at every match. */
uint32_t chip_tone(struct chip *chip)
{
    static const uint32_t divisors[8] = {0, 1, 8, 32, 64, 128, 256, 1024};
    const uint8_t *data = chip->avr->data;
    uint32_t divisor = divisors[data[TCCR2B_AT] & 7];
    if ((data[TCCR2A_AT] & 0xC3) != 0x42 || !divisor)
        return 0;
    return CHIP_HZ / 2 / divisor / (data[OCR2A_AT] + 1u);
}

void chip_silence(struct chip *chip)
{
    chip->silent = true;
}

void chip_eeprom_get(struct chip *chip, uint8_t *bytes)
{
    avr_eeprom_desc_t whole = {.ee = NULL, .offset = 0, .size = CHIP_EEPROM};
    avr_ioctl(chip->avr, AVR_IOCTL_EEPROM_GET, &whole);
    memcpy(bytes, whole.ee, CHIP_EEPROM);
}

void chip_eeprom_set(struct chip *chip, const uint8_t *bytes)
{
    avr_eeprom_desc_t whole = {.ee = (uint8_t *)bytes, .offset = 0, .size = CHIP_EEPROM};
    avr_ioctl(chip->avr, AVR_IOCTL_EEPROM_SET, &whole);
}
