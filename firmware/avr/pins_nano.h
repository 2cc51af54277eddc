/* The ATmega328P; the names in brackets are those printed on an Arduino Nano. */

#define HARDWARE 1

/* Strip of WS2812 lamps: PB0 [D8]. Everything that is written to PORTB goes through this one bit or is set once. */
#define STRIP_PORT PORTB
#define STRIP_BIT PB0

/* Buzzer: PB3 [D11], the output of timer 2. */
#define BUZZER_BIT PB3

/* Buttons close to ground: 0 to 5 on PD2 to PD7 [D2 to D7], 6 and 7 on PB1 and PB2 [D9, D10]. */
#define BUTTONS_D 0xFC
#define BUTTONS_B 0x06
#define EDGE_VECT PCINT0_vect
#define OTHER_EDGE_VECT PCINT2_vect

/* Each die is four groups of LEDs: middle, two diagonals, the pair between.
   First die PC0 to PC3 [A0 to A3], second die PC4, PC5, PB4, PB5 [A4, A5, D12, D13]. */
#define DICE_C 0x3F
#define DICE_B 0x30

/* An analogue input that is left open: its noise goes into the dice. ADC7 [A7]. */
#define NOISE_CHANNEL 7

#define SERIAL_RX_VECT USART_RX_vect
#define SERIAL_UDRE_VECT USART_UDRE_vect

/* Where a boot loader of 2 kB begins, which knows no watchdog. Optiboot has a quarter of that, and nothing is here. */
#define OLD_LOADER_AT 0x7800
#define LOADER_KNOWS_WATCHDOG() (pgm_read_word(OLD_LOADER_AT) == 0xFFFF)

static inline uint8_t pins_contacts(void)
{
    uint8_t open = (uint8_t)((PIND & BUTTONS_D) >> 2 | (PINB & BUTTONS_B) << 5);
    return (uint8_t)~open;
}

static inline void pins_await_edge(void)
{
    PCIFR = 1 << PCIF2 | 1 << PCIF0;
    PCICR = 1 << PCIE2 | 1 << PCIE0;
}

static inline void pins_start(void)
{
    PORTC = 0;
    PORTD = BUTTONS_D;
    PORTB = BUTTONS_B;
    DDRB = 1 << STRIP_BIT | 1 << BUZZER_BIT | DICE_B;
    DDRC = DICE_C;
    PCMSK2 = BUTTONS_D;
    PCMSK0 = BUTTONS_B;
}

/* Lights the groups of both dice, four bits each. */
static inline void pins_dice(uint8_t first, uint8_t second)
{
    PORTC = (uint8_t)(first | (second & 3) << 4);
    PORTB = (uint8_t)((PORTB & ~DICE_B) | (second & 12) << 2);
}
