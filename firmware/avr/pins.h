/* Which pin of the ATmega328P does what; the names in brackets are those printed on an Arduino Nano. */
#pragma once

#include <avr/io.h>

/* Strip of WS2812 lamps: PB0 [D8]. Everything that is written to PORTB goes through this one bit or is set once. */
#define STRIP_PORT PORTB
#define STRIP_BIT PB0

/* Buzzer: PB3 [D11], the output of timer 2. */
#define BUZZER_BIT PB3

/* Buttons close to ground: 0 to 5 on PD2 to PD7 [D2 to D7], 6 and 7 on PB1 and PB2 [D9, D10]. */
#define BUTTONS_D 0xFC
#define BUTTONS_B 0x06

/* Each die is four groups of LEDs: middle, two diagonals, the pair between.
   First die PC0 to PC3 [A0 to A3], second die PC4, PC5, PB4, PB5 [A4, A5, D12, D13]. */
#define DICE_C 0x3F
#define DICE_B 0x30

/* An analogue input that is left open: its noise goes into the dice. ADC7 [A7]. */
#define NOISE_CHANNEL 7
