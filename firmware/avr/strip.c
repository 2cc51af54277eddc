#include "strip.h"

#include <avr/io.h>
#include <util/atomic.h>

#include "clock.h"
#include "pins.h"
#include "serial.h"

#if F_CPU != 16000000UL
#error "The pulses are counted in cycles of 16 MHz."
#endif

/* A bit takes 22 cycles (1375 ns). The line is high for 6 of them (375 ns) for a 0 and for 12 (750 ns) for a 1, and low for at
   least 10 (625 ns): pulses that the data sheets of WS2812B, its V5 and SK6812 all accept. */
static void write_byte(uint8_t byte)
{
    uint8_t bits = 8;
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
}

/* Between two bytes the line may be low for 9 microseconds at most, or older lamps take what came for the whole picture. So
   no interrupt comes in between; what cannot wait for the whole strip, bytes from the host and the millisecond, is looked
   after here. */
void strip_write(const uint8_t *bytes, uint8_t count)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        while (count--) {
            write_byte(*bytes++);
            serial_poll();
            clock_poll();
        }
    }
}
