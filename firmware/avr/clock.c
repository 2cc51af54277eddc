#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

static volatile uint8_t ticks;

void clock_start(void)
{
    TCCR0A = 1 << WGM01;
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = 1 << OCIE0A;
    TCCR0B = 1 << CS01 | 1 << CS00;
}

ISR(TIMER0_COMPA_vect)
{
    ticks++;
}

bool clock_waiting(void)
{
    return ticks;
}

void clock_take(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        ticks--;
    }
}

void clock_forget(void)
{
    ticks = 0;
}

void clock_poll(void)
{
    if (TIFR0 & (1 << OCF0A)) {
        TIFR0 = 1 << OCF0A;
        ticks++;
    }
}
