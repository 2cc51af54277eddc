/* The ATmega2560; the names in brackets are those printed on an Arduino Mega. */

#define HARDWARE 2

/* Strip of WS2812 lamps: PB5 [D11]. Everything that is written to PORTB goes through this one bit or is set once. */
#define STRIP_PORT PORTB
#define STRIP_BIT PB5

/* Buzzer: PB4 [D10], the output of timer 2. */
#define BUZZER_BIT PB4

/* Buttons close to ground: 0 to 7 on PK0 to PK7 [A8 to A15]. */
#define BUTTONS_K 0xFF
#define EDGE_VECT PCINT2_vect

/* Each die is four groups of LEDs: middle, two diagonals, the pair between.
   First die PA0 to PA3 [D22 to D25], second die PA4 to PA7 [D26 to D29]. */
#define DICE_A 0xFF

/* An analogue input that is left open: its noise goes into the dice. ADC7 [A7]. */
#define NOISE_CHANNEL 7

#define SERIAL_RX_VECT USART0_RX_vect
#define SERIAL_UDRE_VECT USART0_UDRE_vect

/* That of the Mega (stk500v2) came in versions that know no watchdog, and they cannot be told apart from here. */
#define LOADER_KNOWS_WATCHDOG() false

static inline uint8_t pins_contacts(void)
{
    return (uint8_t)~PINK;
}

static inline void pins_await_edge(void)
{
    PCIFR = 1 << PCIF2;
    PCICR = 1 << PCIE2;
}

static inline void pins_start(void)
{
    PORTA = 0;
    PORTK = BUTTONS_K;
    PORTB = 0;
    DDRB = 1 << STRIP_BIT | 1 << BUZZER_BIT;
    DDRA = DICE_A;
    PCMSK2 = BUTTONS_K;
}

/* Lights the groups of both dice, four bits each. */
static inline void pins_dice(uint8_t first, uint8_t second)
{
    PORTA = (uint8_t)(first | second << 4);
}
