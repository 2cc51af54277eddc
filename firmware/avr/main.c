/* The ATmega328P: start-up, the millisecond, and what the core asks for in port.h. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

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
static volatile uint8_t ticks;
static volatile uint16_t edges;
static bool restarting;

/* After a watchdog reset the watchdog still runs, at its shortest: stop it before anything else. */
__attribute__((naked, used, section(".init3"))) void before_main(void);

void before_main(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

ISR(TIMER0_COMPA_vect)
{
    ticks++;
}

/* The instant of an edge, in sixteenths of a microsecond: nobody presses a button that exactly. */
ISR(PCINT0_vect)
{
    edges = (uint16_t)(edges << 3 | edges >> 13) ^ TCNT1;
}

ISR(PCINT2_vect, ISR_ALIASOF(PCINT0_vect));

static uint8_t contacts(void)
{
    uint8_t open = (uint8_t)((PIND & BUTTONS_D) >> 2 | (PINB & BUTTONS_B) << 5);
    return (uint8_t)~open;
}

static void start_pins(void)
{
    PORTD = BUTTONS_D;
    PORTB = BUTTONS_B;
    DDRB = 1 << STRIP_BIT | 1 << BUZZER_BIT | DICE_B;
    DDRC = DICE_C;
    PCMSK2 = BUTTONS_D;
    PCMSK0 = BUTTONS_B;
    PCICR = 1 << PCIE2 | 1 << PCIE0;
}

static void start_clocks(void)
{
    TCCR0A = 1 << WGM01;
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = 1 << OCIE0A;
    TCCR0B = 1 << CS01 | 1 << CS00;
    TCCR1B = 1 << CS10;
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
    start_pins();
    start_clocks();
    start_noise();
    serial_start();
    sei();
    uint32_t noise = seed();
    struct device_start start = {
        .queue = &queue,
        .reset_cause = cause(),
        .contacts = contacts(),
        .board_id = memory_board_id(noise),
        .seed = ~noise,
        .new_boot_id = memory_new_boot_id,
        .settings = memory_settings(record),
    };
    device_start(&device, &start);
    ticks = 0;
}

static void stir(void)
{
    uint16_t sample, stamp;
    if (take_noise(&sample))
        dice_noise(&device.dice, sample);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        stamp = edges;
        edges = 0;
    }
    if (stamp)
        dice_stir(&device.dice, stamp);
}

static void tick(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        ticks--;
    }
    if (!restarting)
        wdt_reset();
    stir();
    memory_go_on();
    device_tick(&device, contacts());
}

/* Sleeps until the next interrupt, unless one has brought work since we looked: `sei` takes effect one instruction later. */
static void doze(void)
{
    cli();
    if (!ticks && !serial_waiting()) {
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
    wdt_enable(WDTO_500MS);
    set_sleep_mode(SLEEP_MODE_IDLE);
    for (;;) {
        uint8_t byte;
        while (serial_take(&byte))
            device_byte(&device, byte);
        if (ticks)
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
    uint8_t other = groups(second);
    PORTC = (uint8_t)(groups(first) | (other & 3) << 4);
    PORTB = (uint8_t)((PORTB & ~DICE_B) | (other & 12) << 2);
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
