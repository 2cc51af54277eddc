#include "buzzer.h"

#include <string.h>

#include "port.h"

static void go_on(struct buzzer *buzzer)
{
    if (buzzer->next == buzzer->count) {
        buzzer->playing = false;
        port_tone(0);
        return;
    }
    const uint8_t *step = buzzer->steps + 2 * buzzer->next++;
    port_tone(step[0] * 20u);
    buzzer->until_ms += step[1] * 10u;
}

void buzzer_play(struct buzzer *buzzer, uint8_t id, const uint8_t *steps, uint8_t count, uint32_t now_ms)
{
    if (buzzer->any && buzzer->last_id == id)
        return;
    buzzer->any = buzzer->playing = true;
    buzzer->last_id = id;
    buzzer->count = count;
    buzzer->next = 0;
    memcpy(buzzer->steps, steps, 2u * count);
    buzzer->until_ms = now_ms;
    go_on(buzzer);
}

void buzzer_tick(struct buzzer *buzzer, uint32_t now_ms)
{
    if (buzzer->playing && (int32_t)(now_ms - buzzer->until_ms) >= 0)
        go_on(buzzer);
}
