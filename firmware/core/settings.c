#include "settings.h"

#include "bytes.h"
#include "limits.h"

bool settings_read(struct settings *settings, const uint8_t *record)
{
    struct settings read = {
        .lamps = record[0] & (uint8_t)~WHITE_LED,
        .white = record[0] & WHITE_LED,
        .status_lamp = record[1],
        .limit_ma = get16(record + 2),
        .max_brightness = record[4],
        .debounce_ms = record[5],
    };
    if (read.lamps > MAX_LAMPS || (read.white && read.lamps > STRIP_BYTES / WHITE_LAMP_BYTES))
        return false;
    if (read.limit_ma < 100 || read.limit_ma > 2500)
        return false;
    if (read.debounce_ms < 1 || read.debounce_ms > 50)
        return false;
    *settings = read;
    return true;
}

uint8_t settings_bytes(const struct settings *settings)
{
    return settings->white ? settings->lamps * WHITE_LAMP_BYTES : settings->lamps * LAMP_BYTES;
}

void settings_write(const struct settings *settings, uint8_t *record)
{
    uint8_t lamps = settings->lamps | (settings->white ? WHITE_LED : 0);
    record = put8(put8(record, lamps), settings->status_lamp);
    record = put16(record, settings->limit_ma);
    put8(put8(record, settings->max_brightness), settings->debounce_ms);
}
