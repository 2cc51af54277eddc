/* The sizes that decide how much memory the chip needs; the numbers of hardware_docs/protocol.md. */
#pragma once

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 2
#define FIRMWARE_VERSION {1, 2, 0}

#define MAX_PAYLOAD 128
#define ANSWER_ROOM 108 /* for any answer, of 39 bytes at most; what waits before it is gone within a millisecond */
#define MAX_EVENTS_PAYLOAD 112 /* so that the frame fits into the ring of bytes to send and nobody waits for it */
#define MAX_LAMPS 40
#define LAMP_BYTES 3
#define WHITE_LAMP_BYTES 4 /* of a lamp that has a white LED as well */
#define STRIP_BYTES (MAX_LAMPS * LAMP_BYTES) /* while more are written, too much would come in; so 30 white lamps at most */
#define MAX_STYLES 12
#define MAX_STEPS 16
#define QUEUE_SLOTS 16 /* a power of two: slots are found by the low bits of the event's number */
#define BUTTONS 8
