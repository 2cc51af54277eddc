#include "settings.h"

#include "bytes.h"
#include "limits.h"

bool settings_read(struct settings *settings, const uint8_t *record)
{
    struct settings read = {record[0], record[1], get16(record + 2), record[4], record[5]};
    if (read.lamps > MAX_LAMPS || read.limit_ma < 100 || read.limit_ma > 2500)
        return false;
    if (read.debounce_ms < 1 || read.debounce_ms > 50)
        return false;
    *settings = read;
    return true;
}

void settings_write(const struct settings *settings, uint8_t *record)
{
    record = put8(put8(record, settings->lamps), settings->status_lamp);
    record = put16(record, settings->limit_ma);
    put8(put8(record, settings->max_brightness), settings->debounce_ms);
}
