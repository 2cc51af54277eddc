/* Which pin of the chip does what, and what else differs between the chips. */
#pragma once

#include <stdbool.h>

#include <avr/io.h>
#include <avr/pgmspace.h>

#ifdef __AVR_ATmega2560__
#include "pins_mega.h"
#else
#include "pins_nano.h"
#endif
