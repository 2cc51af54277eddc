#include "strip.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "pins.h"

#if F_CPU != 16000000UL
#error "The pulses are counted in cycles of 16 MHz."
#endif

/* A bit takes 22 cycles (1375 ns). The line is high for 6 of them (375 ns) for a 0 and for 12 (750 ns) for a 1, and low for at
   least 10 (625 ns): pulses that the data sheets of WS2812B, its V5 and SK6812 all accept. */
static void write_byte(uint8_t byte)
{
    uint8_t bits = 8;
    uint8_t status = SREG;
    cli();
    uint8_t high = STRIP_PORT | (1 << STRIP_BIT), low = high & (uint8_t)~(1 << STRIP_BIT);
    __asm__ volatile(
        "1: out %[port], %[high]  \n" /* cycle 0: the line is high */
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   sbrs %[byte], 7       \n" /* a 1 skips the next instruction, which takes as long as doing it */
        "   out %[port], %[low]   \n" /* cycle 6: a 0 ends */
        "   lsl %[byte]           \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   out %[port], %[low]   \n" /* cycle 12: a 1 ends */
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   nop                   \n"
        "   dec %[bits]           \n"
        "   brne 1b               \n" /* 22 cycles after it rose the line is high again */
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(STRIP_PORT)), [high] "r"(high), [low] "r"(low));
    SREG = status;
}

/* Sending and the stamping of edges wait meanwhile: between two bytes the line may be low for 9 microseconds at most, or older
   lamps take what came for the whole picture, and that is enough for receiving and the clock only. */
void strip_write(const uint8_t *bytes, uint8_t count)
{
    uint8_t edges = PCICR, sending;
    PCICR = 0;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        sending = UCSR0B & (1 << UDRIE0);
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
    }
    while (count--)
        write_byte(*bytes++);
    PCICR = edges;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= sending;
    }
}
