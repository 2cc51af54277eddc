#include "strip.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "pins.h"

#if F_CPU != 16000000UL
#error "The pulses are counted in cycles of 16 MHz."
#endif

/* A bit takes 20 cycles (1250 ns). The line is high for 6 of them (375 ns) for a 0 and for 12 (750 ns) for a 1: within the
   limits that the data sheets of WS2812, WS2812B and SK6812 have in common. */
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
        "   dec %[bits]           \n"
        "   brne 1b               \n" /* 20 cycles later the line is high again */
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(STRIP_PORT)), [high] "r"(high), [low] "r"(low));
    SREG = status;
}

void strip_write(const uint8_t *bytes, uint8_t count)
{
    while (count--)
        write_byte(*bytes++);
}
