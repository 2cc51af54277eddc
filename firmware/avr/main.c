/* The chip: start-up, the millisecond, and what the core asks for in port.h. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "clock.h"
#include "device.h"
#include "memory.h"
#include "pins.h"
#include "port.h"
#include "serial.h"
#include "strip.h"

#define KEPT __attribute__((section(".noinit")))

static struct queue queue KEPT;
static uint8_t reset_flags KEPT;
static struct device device;
static volatile uint16_t edge;
static bool restarting;

/* Half a second without wdt_reset, and the watchdog's interrupt restarts the program. If nothing answers the interrupt either,
   the watchdog resets the chip another half second later. It then runs on at its shortest, 16 ms, so this comes before anything
   else. Boot loaders of old (2 kB) run for a second or two and know nothing of that: with them such a reset would be followed by
   another for ever, even if the host pulls the reset line. With them the watchdog has its interrupt only, and the host, which
   opens the port again when the chip is silent, pulls the reset line. */
__attribute__((naked, used, section(".init3"))) void before_main(void);

void before_main(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
    uint8_t watch = 1 << WDIE | 1 << WDP2 | 1 << WDP0;
    if (LOADER_KNOWS_WATCHDOG())
        watch |= 1 << WDE;
    __asm__ volatile(
        "wdr                      \n"
        "sts %[at], %[unlock]     \n"
        "sts %[at], %[watch]      \n" /* within four cycles */
        :
        : [at] "n"(_SFR_MEM_ADDR(WDTCSR)), [unlock] "r"((uint8_t)(1 << WDCE | 1 << WDE)), [watch] "r"(watch));
}

/* From the beginning, past the boot loader. Memory and the registers of the hardware stay as they are; start() sets those that
   matter. */
__attribute__((noreturn)) static void begin_again(uint8_t cause)
{
    cli();
    queue_keep_cause(&queue, cause);
    __asm__ volatile("jmp 0");
    __builtin_unreachable();
}

/* What hangs may have spoilt the stack: it is taken from its top again. */
ISR(WDT_vect, ISR_NAKED)
{
    __asm__ volatile("clr r1");
    SP = RAMEND;
    begin_again(RESET_WATCHDOG);
}

/* The instant of an edge, in sixteenths of a microsecond: nobody presses a button that exactly. The next one counts after the
   next tick, so that a chattering contact does not keep the chip busy. */
ISR(EDGE_VECT)
{
    edge = TCNT1;
    PCICR = 0;
}

#ifdef OTHER_EDGE_VECT
ISR(OTHER_EDGE_VECT, ISR_ALIASOF(EDGE_VECT));
#endif

static void start_clocks(void)
{
    clock_start();
    TCCR1B = 1 << CS10;
    port_tone(0);
}

static void start_noise(void)
{
    ADMUX = 1 << REFS0 | NOISE_CHANNEL;
    ADCSRA = 1 << ADEN | 1 << ADSC | 1 << ADPS2 | 1 << ADPS1 | 1 << ADPS0;
}

static bool take_noise(uint16_t *sample)
{
    if (ADCSRA & (1 << ADSC))
        return false;
    *sample = ADC;
    ADCSRA |= 1 << ADSC;
    return true;
}

/* 64 samples of noise and the times they took, stirred as the dice do it. */
static uint32_t seed(void)
{
    struct dice pool;
    dice_start(&pool, TCNT1);
    for (uint8_t left = 64; left;) {
        uint16_t sample;
        if (take_noise(&sample)) {
            dice_noise(&pool, sample);
            left--;
        }
    }
    return pool.pool;
}

static uint8_t cause(void)
{
    if (reset_flags & (1 << PORF))
        return RESET_POWER_ON;
    if (reset_flags & (1 << BORF))
        return RESET_BROWN_OUT;
    if (reset_flags & (1 << WDRF))
        return RESET_WATCHDOG;
    return reset_flags & (1 << EXTRF) ? RESET_LINE : RESET_UNKNOWN;
}

static void start(void)
{
    uint8_t record[SETTINGS_SIZE];
    pins_start();
    pins_await_edge();
    start_clocks();
    start_noise();
    serial_start();
    sei();
    uint32_t noise = seed();
    struct device_start start = {
        .queue = &queue,
        .reset_cause = cause(),
        .contacts = pins_contacts(),
        .hardware = HARDWARE,
        .board_id = memory_board_id(noise),
        .seed = ~noise,
        .new_boot_id = memory_new_boot_id,
        .settings = memory_settings(record),
    };
    device_start(&device, &start);
    clock_forget();
}

static void stir(void)
{
    uint16_t sample;
    if (take_noise(&sample))
        dice_noise(&device.dice, sample);
    if (!PCICR) {
        dice_stir(&device.dice, edge);
        pins_await_edge();
    }
}

static void tick(void)
{
    clock_take();
    memory_go_on();
    if (restarting) {
        if (serial_idle() && memory_idle())
            begin_again(RESET_ASKED);
        return;
    }
    wdt_reset();
    stir();
    device_tick(&device, pins_contacts());
}

static bool may_take(void)
{
    return !restarting && serial_waiting() && device_ready(&device, serial_next());
}

/* Sleeps until the next interrupt, unless one has brought work since we looked: `sei` takes effect one instruction later. */
static void doze(void)
{
    cli();
    if (!clock_waiting() && !may_take()) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void)
{
    start();
    set_sleep_mode(SLEEP_MODE_IDLE);
    for (;;) {
        uint8_t byte;
        while (!clock_waiting() && may_take() && serial_take(&byte)) /* whatever comes in, a tick waits for one byte at most */
            device_byte(&device, byte);
        if (clock_waiting())
            tick();
        doze();
    }
}

void port_send(uint8_t byte)
{
    serial_put(byte);
}

uint8_t port_room(void)
{
    return serial_room();
}

void port_show(const uint8_t *bytes, uint8_t count)
{
    strip_write(bytes, count);
}

/* Timer 2 counts 125 kHz and turns the pin over at every match: 16 MHz / 128 / 2 / (OCR2A + 1). */
void port_tone(uint16_t hertz)
{
    uint16_t count = hertz ? (uint16_t)(F_CPU / 256 / hertz) : 0;
    if (!count) {
        TCCR2A = 0;
        TCCR2B = 0;
        return;
    }
    OCR2A = count > 256 ? 255 : (uint8_t)(count - 1);
    TCCR2A = 1 << COM2A0 | 1 << WGM21;
    TCCR2B = 1 << CS22 | 1 << CS20;
}

/* Bit 0 middle, 1 and 2 the diagonals, 3 the pair between. */
static uint8_t groups(uint8_t face)
{
    static const uint8_t of_face[7] = {0, 1, 2, 3, 6, 7, 14};
    return of_face[face];
}

void port_dice(uint8_t first, uint8_t second)
{
    pins_dice(groups(first), groups(second));
}

void port_keep_settings(const uint8_t *record)
{
    memory_keep_settings(record);
}

void port_restart(void)
{
    restarting = true;
}

uint16_t port_free_ram(void)
{
    extern uint8_t _end;
    return SP - (uint16_t)&_end;
}

uint16_t port_overruns(void)
{
    return serial_overruns();
}
