#include "memory.h"

#include <avr/eeprom.h>
#include <string.h>

#include "bytes.h"
#include "crc16.h"

/* Each record is followed by its CRC-16. The count of starts walks through several places, so that each wears out more slowly
   and a power cut while one is written leaves the others. */
#define SETTINGS_AT 0
#define BOARD_AT 16
#define STARTS_AT 32
#define STARTS_PLACES 16
#define NUMBER_SIZE 4

static uint8_t kept[SETTINGS_SIZE + 2];
static uint8_t kept_at = sizeof kept;

static bool read_record(uint16_t at, uint8_t *record, uint8_t count)
{
    uint8_t check[2];
    eeprom_read_block(record, (const void *)at, count);
    eeprom_read_block(check, (const void *)(at + count), sizeof check);
    return crc16(CRC16_START, record, count) == get16(check);
}

static void write_number(uint16_t at, uint32_t number)
{
    uint8_t record[NUMBER_SIZE + 2];
    put32(record, number);
    put16(record + NUMBER_SIZE, crc16(CRC16_START, record, NUMBER_SIZE));
    eeprom_update_block(record, (void *)at, sizeof record);
}

const uint8_t *memory_settings(uint8_t *record)
{
    return read_record(SETTINGS_AT, record, SETTINGS_SIZE) ? record : NULL;
}

void memory_keep_settings(const uint8_t *record)
{
    memcpy(kept, record, SETTINGS_SIZE);
    put16(kept + SETTINGS_SIZE, crc16(CRC16_START, record, SETTINGS_SIZE));
    kept_at = 0;
}

void memory_go_on(void)
{
    if (kept_at < sizeof kept && eeprom_is_ready()) {
        eeprom_update_byte((uint8_t *)(uint16_t)(SETTINGS_AT + kept_at), kept[kept_at]);
        kept_at++;
    }
}

bool memory_idle(void)
{
    return kept_at == sizeof kept && eeprom_is_ready();
}

uint32_t memory_board_id(uint32_t fresh)
{
    uint8_t record[NUMBER_SIZE];
    if (read_record(BOARD_AT, record, NUMBER_SIZE))
        return get32(record);
    write_number(BOARD_AT, fresh);
    return fresh;
}

uint32_t memory_new_boot_id(void)
{
    uint32_t newest = 0;
    for (uint8_t place = 0; place < STARTS_PLACES; place++) {
        uint8_t record[NUMBER_SIZE];
        if (read_record(STARTS_AT + (NUMBER_SIZE + 2) * place, record, NUMBER_SIZE) && get32(record) > newest)
            newest = get32(record);
    }
    newest++;
    write_number(STARTS_AT + (NUMBER_SIZE + 2) * (uint16_t)(newest % STARTS_PLACES), newest);
    return newest;
}
