#include "debounce.h"

void debounce_start(struct debounce *debounce, uint8_t contacts)
{
    debounce->down = contacts;
    debounce->differs = 0;
}

uint8_t debounce_take(struct debounce *debounce, uint8_t contacts, uint32_t now_ms, uint8_t quiet_ms)
{
    uint8_t differs = contacts ^ debounce->down, changed = 0;
    for (uint8_t button = 0, bit = 1; button < BUTTONS; button++, bit = (uint8_t)(bit << 1)) {
        if (!(differs & bit))
            continue;
        if (!(debounce->differs & bit))
            debounce->since[button] = (uint8_t)now_ms;
        else if ((uint8_t)(now_ms - debounce->since[button]) >= quiet_ms)
            changed |= bit;
    }
    debounce->down ^= changed;
    debounce->differs = differs & (uint8_t)~changed;
    return changed;
}

uint32_t debounce_since(const struct debounce *debounce, uint8_t button, uint32_t now_ms)
{
    return now_ms - (uint8_t)(now_ms - debounce->since[button]);
}
