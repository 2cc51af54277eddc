#include "line.h"

#include <string.h>

#include <sim_cycle_timers.h>
#include <sim_io.h>
#include <sim_irq.h>

#define AT(index) ((index) & (LINE_ROOM - 1))

/* simavr's own receiver holds 64 bytes and paces them by itself. Handing it one byte at a time, with its pace set to one cycle
   for the moment, leaves depth and speed to this file. */
static void offer(struct line *line)
{
    if (line->offered || !line->held_count)
        return;
    avr_cycle_count_t pace = line->uart->cycles_per_byte;
    line->uart->cycles_per_byte = 1;
    line->offered = true;
    avr_raise_irq(line->uart->io.irq + UART_IRQ_INPUT, line->held[0]);
    line->uart->cycles_per_byte = pace;
}

static avr_cycle_count_t offer_later(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr;
    (void)when;
    offer(param);
    return 0;
}

/* simavr says that its buffer is empty: also whenever the status is looked at, so only a buffer that we filled counts. */
static void on_read(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct line *line = param;
    (void)irq;
    if (!value || !line->offered || line->uart->input.read != line->uart->input.write)
        return;
    line->offered = false;
    memmove(line->held, line->held + 1, --line->held_count);
    avr_cycle_timer_register(line->avr, 1, offer_later, line);
}

static bool receiver_on(const struct line *line)
{
    return avr_regbit_get(line->avr, line->uart->rxen);
}

static avr_cycle_count_t arrive(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct line *line = param;
    uint8_t byte = line->to_chip[AT(line->to_tail++)];
    if (receiver_on(line)) {
        if (line->held_count < LINE_DEPTH) {
            line->held[line->held_count++] = byte;
            offer(line);
        } else {
            line->dropped++;
            avr_regbit_set(avr, line->uart->dor);
        }
    }
    line->running = line->to_tail != line->to_head;
    return line->running ? when + LINE_BYTE_CYCLES : 0;
}

static void on_write(struct avr_irq_t *irq, uint32_t value, void *param)
{
    struct line *line = param;
    (void)irq;
    if (line->sent_until < line->avr->cycle)
        line->sent_until = line->avr->cycle;
    line->sent_until += LINE_BYTE_CYCLES;
    if (line->from_head - line->from_tail == LINE_ROOM)
        return;
    line->from_chip[AT(line->from_head)] = (uint8_t)value;
    line->from_cycle[AT(line->from_head)] = line->sent_until;
    line->from_head++;
}

void line_start(struct line *line, avr_t *avr)
{
    memset(line, 0, sizeof *line);
    line->avr = avr;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_t *irqs = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), 0);
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (io->irq == irqs)
            line->uart = (avr_uart_t *)io;
    avr_irq_register_notify(irqs + UART_IRQ_OUTPUT, on_write, line);
    avr_irq_register_notify(irqs + UART_IRQ_OUT_XON, on_read, line);
}

void line_reset(struct line *line)
{
    line->held_count = 0;
    line->offered = false;
    line->running = line->to_tail != line->to_head;
    if (line->running) /* a reset of the chip cleared simavr's timers */
        avr_cycle_timer_register(line->avr, LINE_BYTE_CYCLES, arrive, line);
}

uint32_t line_send(struct line *line, const uint8_t *bytes, uint32_t count)
{
    uint32_t sent = 0;
    while (sent < count && line->to_head - line->to_tail < LINE_ROOM)
        line->to_chip[AT(line->to_head++)] = bytes[sent++];
    if (sent && !line->running) {
        line->running = true;
        avr_cycle_timer_register(line->avr, LINE_BYTE_CYCLES, arrive, line);
    }
    return sent;
}

uint32_t line_take(struct line *line, uint8_t *bytes, uint64_t *cycles, uint32_t room)
{
    uint32_t taken = 0;
    while (taken < room && line->from_tail != line->from_head
           && line->from_cycle[AT(line->from_tail)] <= line->avr->cycle) {
        cycles[taken] = line->from_cycle[AT(line->from_tail)];
        bytes[taken++] = line->from_chip[AT(line->from_tail++)];
    }
    return taken;
}

void line_cut(struct line *line)
{
    line->to_tail = line->to_head;
    line->from_tail = line->from_head;
    line->running = false;
    avr_cycle_timer_cancel(line->avr, arrive, line);
}
