/* A disk that fails: loaded before the C library, it refuses writes and syncs to files whose names hold a word.

   FAILING_DISK_FILES  the word, such as journal.db
   FAILING_DISK_SWITCH a file; its first letter says what happens now: - nothing, F the disk is full, E it does not answer
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int failing(int file) {
    const char *word = getenv("FAILING_DISK_FILES"), *name = getenv("FAILING_DISK_SWITCH");
    char link[64], path[4096], letter = '-';
    if (!word || !name) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (!strstr(path, word)) return 0;
    int before = errno, now = open(name, O_RDONLY | O_CLOEXEC);
    if (now >= 0) {
        ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
        if (real(now, &letter, 1) != 1) letter = '-';
        close(now);
    }
    errno = before;
    return letter == 'F' ? ENOSPC : letter == 'E' ? EIO : 0;
}

#define REFUSE(file) \
    int refused = failing(file); \
    if (refused) { errno = refused; return -1; }

ssize_t write(int file, const void *data, size_t size) {
    REFUSE(file)
    return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(file, data, size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t place) {
    REFUSE(file)
    return ((ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite"))(file, data, size, place);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t place) {
    REFUSE(file)
    return ((ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(file, data, size, place);
}

int fsync(int file) {
    REFUSE(file)
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
    REFUSE(file)
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}

int ftruncate64(int file, off64_t size) {
    int refused = failing(file);
    if (refused == EIO) { errno = refused; return -1; }
    return ((int (*)(int, off64_t))dlsym(RTLD_NEXT, "ftruncate64"))(file, size);
}
