/* What boot loaders do between a reset and the program, as far as the program feels it. Nothing here loads anything; it lies
   where a boot loader would, and the chip begins here after each reset.

   LOADER_old: as on Nanos of old. It runs after every reset, for WAIT_S seconds, and reads what comes over the line. It knows
   nothing of the watchdog: one that is on goes on.
   LOADER_optiboot: as Optiboot before version 7. It clears the flags that tell why the chip was reset. After the reset line it
   waits until the watchdog resets the chip a second later; after anything else it stops the watchdog and begins the program. */
#include <avr/io.h>
#include <avr/wdt.h>

#define LOOP_CYCLES 8 /* of the loop in `wait` */

__attribute__((naked, used, section(".vectors"))) void loader(void);

static inline void begin_program(void)
{
    __asm__ volatile("jmp 0");
}

static inline void wait(void)
{
    UCSR0B = 1 << RXEN0;
    for (uint32_t left = (uint32_t)(WAIT_S * F_CPU / LOOP_CYCLES); left; left--)
        (void)UDR0;
}

void loader(void)
{
    __asm__ volatile("clr r1");
#ifdef LOADER_old
    wait();
    UCSR0B = 0;
    begin_program();
#else
    uint8_t flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
    if (!(flags & (1 << EXTRF)))
        begin_program();
    wdt_enable(WDTO_1S);
    for (;;)
        (void)UDR0;
#endif
}
