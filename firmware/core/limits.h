/* The sizes that decide how much memory the chip needs; the numbers of hardware_docs/protocol.md. */
#pragma once

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 1
#define FIRMWARE_VERSION {1, 1, 0}

#define MAX_PAYLOAD 128
#define ANSWER_ROOM 108 /* for any answer, of 39 bytes at most; what waits before it is gone within a millisecond */
#define MAX_EVENTS_PAYLOAD 112 /* so that the frame fits into the ring of bytes to send and nobody waits for it */
#define MAX_LAMPS 40
#define MAX_STYLES 12
#define MAX_STEPS 16
#define QUEUE_SLOTS 16 /* a power of two: slots are found by the low bits of the event's number */
#define BUTTONS 8
