/* The simulated board in real time: the firmware behind a pseudo terminal, with a control socket for everything that hands do.

   Usage: boardsim FIRMWARE.elf LINK CONTROL [EEPROM [old|optiboot]]

   LINK becomes a symbolic link to the pseudo terminal, as /dev/serial/by-id has them. CONTROL is a Unix socket; each line
   sent to it is a command, each is answered by one line:
     press N, release N      a button, 0 to 7
     unplug, replug          the cable; the board has its own supply and goes on
     reset, power            the reset line; a power cut (memory gone, EEPROM kept)
     leds                    the strip as hexadecimal bytes: green, red, blue for each lamp
     dice, tone              LED groups of both dice in hexadecimal; hertz
     state                   seconds, pictures, faults on the strip's line, bytes the receiver dropped
     quit
   EEPROM is a file that keeps the EEPROM between runs. With a boot loader, old or optiboot, the board does as Nanos do: opening
   its port pulls the reset line, and the program begins when the boot loader is done. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "chip.h"

#define STEP_NS 500000
#define CLIENTS 4
#define LINE 80
#define CYCLES(ns) ((ns) * (CHIP_HZ / 1000000) / 1000)

struct client {
    int socket;
    char line[LINE];
    size_t length;
};

static struct chip *chip;
static const char *link_path, *control_path, *eeprom_path;
static int terminal = -1, control = -1;
static bool host_there, reset_on_open;
static struct client clients[CLIENTS];
static volatile sig_atomic_t ending;

static void on_signal(int number)
{
    (void)number;
    ending = 1;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool plug(void)
{
    char name[64];
    struct termios raw;
    terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal) || ptsname_r(terminal, name, sizeof name))
        return false;
    tcgetattr(terminal, &raw);
    cfmakeraw(&raw);
    tcsetattr(terminal, TCSANOW, &raw);
    close(open(name, O_RDWR | O_NOCTTY)); /* from now on its end tells whether anybody is there */
    host_there = false;
    unlink(link_path);
    return symlink(name, link_path) == 0;
}

static void unplug(void)
{
    if (terminal < 0)
        return;
    unlink(link_path);
    close(terminal);
    terminal = -1;
    chip_unplug(chip);
}

static bool listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    strcpy(address.sun_path, path);
    unlink(path);
    control = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return control >= 0 && bind(control, (struct sockaddr *)&address, sizeof address) == 0 && listen(control, CLIENTS) == 0;
}

static void answer_leds(char *answer, size_t room)
{
    uint8_t bytes[512];
    uint64_t cycle;
    uint32_t count = chip_strip(chip, bytes, sizeof bytes, &cycle);
    for (uint32_t i = 0; i < count && 2 * i + 3 < room; i++)
        sprintf(answer + 2 * i, "%02x", bytes[i]);
}

static void command(const char *line, char *answer, size_t room)
{
    int button;
    snprintf(answer, room, "ok");
    if (sscanf(line, "press %d", &button) == 1 && button >= 0 && button < 8)
        chip_contact(chip, (uint8_t)button, true);
    else if (sscanf(line, "release %d", &button) == 1 && button >= 0 && button < 8)
        chip_contact(chip, (uint8_t)button, false);
    else if (!strcmp(line, "unplug"))
        unplug();
    else if (!strcmp(line, "replug")) {
        if (terminal < 0 && !plug())
            snprintf(answer, room, "error %s", strerror(errno));
    } else if (!strcmp(line, "reset"))
        chip_reset(chip, CHIP_RESET_LINE);
    else if (!strcmp(line, "power"))
        chip_reset(chip, CHIP_POWER_CUT);
    else if (!strcmp(line, "leds"))
        answer_leds(answer, room);
    else if (!strcmp(line, "dice"))
        snprintf(answer, room, "%02x", chip_dice(chip));
    else if (!strcmp(line, "tone"))
        snprintf(answer, room, "%u", chip_tone(chip));
    else if (!strcmp(line, "state"))
        snprintf(answer, room, "%.6f %u %u %u", (double)chip_cycle(chip) / CHIP_HZ, chip_strip_pictures(chip),
                 chip_strip_faults(chip), chip_dropped(chip));
    else if (!strcmp(line, "quit"))
        ending = 1;
    else
        snprintf(answer, room, "error no such command");
}

static void hang_up(struct client *client)
{
    close(client->socket);
    client->socket = -1;
}

static void serve(struct client *client)
{
    char answer[1100];
    ssize_t got = read(client->socket, client->line + client->length, LINE - 1 - client->length);
    if (got <= 0) {
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            hang_up(client);
        return;
    }
    client->length += (size_t)got;
    client->line[client->length] = 0;
    for (char *end; (end = strchr(client->line, '\n'));) {
        *end = 0;
        command(client->line, answer, sizeof answer - 1);
        strcat(answer, "\n");
        if (write(client->socket, answer, strlen(answer)) < 0) {
            hang_up(client);
            return;
        }
        client->length -= (size_t)(end + 1 - client->line);
        memmove(client->line, end + 1, client->length + 1);
    }
    if (client->length == LINE - 1)
        hang_up(client);
}

static void admit(void)
{
    int socket = accept4(control, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    for (int i = 0; socket >= 0 && i < CLIENTS; i++)
        if (clients[i].socket < 0) {
            clients[i] = (struct client){.socket = socket};
            return;
        }
    if (socket >= 0)
        close(socket);
}

/* Bytes between the pseudo terminal and the chip. Nobody at the other end: what the chip sends is gone, as it is in a cable. */
static void pump(void)
{
    uint8_t bytes[4096];
    uint64_t cycles[4096];
    uint32_t count = chip_take(chip, bytes, cycles, sizeof bytes);
    if (terminal < 0)
        return;
    ssize_t got = read(terminal, bytes + count, sizeof bytes - count);
    bool there = !(got < 0 && errno == EIO);
    if (there && !host_there && reset_on_open)
        chip_reset(chip, CHIP_RESET_LINE);
    host_there = there;
    if (got > 0)
        chip_send(chip, bytes + count, (uint32_t)got);
    if (count && host_there && write(terminal, bytes, count) < 0 && errno != EAGAIN)
        host_there = false;
}

static void wait_for_work(void)
{
    struct pollfd watched[CLIENTS + 2] = {{control, POLLIN, 0}};
    int count = 1;
    for (int i = 0; i < CLIENTS; i++)
        watched[count++] = (struct pollfd){clients[i].socket, POLLIN, 0};
    struct timespec step = {0, STEP_NS};
    if (ppoll(watched, (nfds_t)count, &step, NULL) <= 0)
        return;
    if (watched[0].revents)
        admit();
    for (int i = 0; i < CLIENTS; i++)
        if (clients[i].socket >= 0 && watched[1 + i].revents)
            serve(&clients[i]);
}

static void load_eeprom(void)
{
    uint8_t bytes[CHIP_EEPROM];
    FILE *file = eeprom_path ? fopen(eeprom_path, "rb") : NULL;
    if (!file)
        return;
    if (fread(bytes, 1, sizeof bytes, file) == sizeof bytes)
        chip_eeprom_set(chip, bytes);
    fclose(file);
}

static void save_eeprom(void)
{
    uint8_t bytes[CHIP_EEPROM];
    FILE *file = eeprom_path ? fopen(eeprom_path, "wb") : NULL;
    if (!file)
        return;
    chip_eeprom_get(chip, bytes);
    fwrite(bytes, 1, sizeof bytes, file);
    fclose(file);
}

/* The images lie beside the firmware. */
static bool load_loader(const char *firmware, const char *kind)
{
    char path[PATH_MAX];
    const char *slash = strrchr(firmware, '/');
    int folder = slash ? (int)(slash - firmware) + 1 : 0;
    bool old = !strcmp(kind, "old");
    if (!old && strcmp(kind, "optiboot"))
        return false;
    snprintf(path, sizeof path, "%.*sloader_%s.bin", folder, firmware, kind);
    reset_on_open = true;
    return chip_loader(chip, path, old ? LOADER_AT_OLD : LOADER_AT_OPTIBOOT);
}

static void simulate(void)
{
    uint64_t began = now_ns(), first = chip_cycle(chip);
    while (!ending) {
        uint64_t due = first + CYCLES(now_ns() - began);
        if (due > chip_cycle(chip) + CHIP_HZ / 4) { /* the machine was busy elsewhere: do not race after it */
            began = now_ns();
            first = chip_cycle(chip);
            due = first;
        }
        if (!chip_run(chip, due)) {
            fprintf(stderr, "boardsim: the firmware crashed\n");
            return;
        }
        pump();
        wait_for_work();
    }
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 6) {
        fprintf(stderr, "usage: boardsim FIRMWARE.elf LINK CONTROL [EEPROM [old|optiboot]]\n");
        return 2;
    }
    link_path = argv[2];
    control_path = argv[3];
    eeprom_path = argc > 4 ? argv[4] : NULL;
    for (int i = 0; i < CLIENTS; i++)
        clients[i].socket = -1;
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGPIPE, SIG_IGN);
    chip = chip_new(argv[1], "atmega328p", (uint32_t)now_ns());
    if (!chip || !plug() || !listen_at(control_path)) {
        fprintf(stderr, "boardsim: cannot start (%s)\n", chip ? strerror(errno) : "the firmware cannot be read");
        return 1;
    }
    load_eeprom();
    if (argc > 5 && !load_loader(argv[1], argv[5])) {
        fprintf(stderr, "boardsim: no boot loader \"%s\" beside the firmware: make builds old and optiboot\n", argv[5]);
        return 1;
    }
    printf("ready\n");
    fflush(stdout);
    simulate();
    save_eeprom();
    unplug();
    unlink(control_path);
    chip_free(chip);
    return 0;
}
