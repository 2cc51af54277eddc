#include "serial.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "pins.h"

#define BAUD_DIVISOR (F_CPU / (16UL * 250000UL) - 1) /* exact at 16 MHz */
#define IN_RING 64 /* powers of two */
#define OUT_RING 128
#define NEXT(at, ring) ((uint8_t)(((at) + 1) & ((ring) - 1)))

static volatile uint8_t in[IN_RING], in_head, in_tail;
static volatile uint8_t out[OUT_RING], out_head, out_tail;
static volatile uint16_t overruns;

void serial_start(void)
{
    UBRR0 = BAUD_DIVISOR;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
}

static inline void receive(void)
{
    uint8_t missed = UCSR0A & (1 << DOR0); /* valid until the byte is read */
    uint8_t byte = UDR0, head = NEXT(in_head, IN_RING);
    if (head != in_tail) {
        in[in_head] = byte;
        in_head = head;
    } else
        missed = 1;
    if (missed && overruns != UINT16_MAX)
        overruns++;
}

ISR(SERIAL_RX_VECT)
{
    receive();
}

void serial_poll(void)
{
    if (UCSR0A & (1 << RXC0))
        receive();
}

ISR(SERIAL_UDRE_VECT)
{
    UDR0 = out[out_tail];
    out_tail = NEXT(out_tail, OUT_RING);
    if (out_tail == out_head)
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
}

bool serial_waiting(void)
{
    return in_head != in_tail;
}

uint8_t serial_next(void)
{
    return in[in_tail];
}

bool serial_take(uint8_t *byte)
{
    if (!serial_waiting())
        return false;
    *byte = in[in_tail];
    in_tail = NEXT(in_tail, IN_RING);
    return true;
}

uint8_t serial_room(void)
{
    return (uint8_t)(out_tail - out_head - 1) & (OUT_RING - 1);
}

bool serial_idle(void)
{
    return out_head == out_tail;
}

void serial_put(uint8_t byte)
{
    uint8_t head = NEXT(out_head, OUT_RING);
    while (head == out_tail)
        ;
    out[out_head] = byte;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        out_head = head;
        UCSR0B |= 1 << UDRIE0;
    }
}

uint16_t serial_overruns(void)
{
    uint16_t value;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        value = overruns;
    }
    return value;
}
