# A part of lines.pyx: the last words of a process that a library ends, that is what is printed, and which files are
# removed. They are in that module, since a compiled module of their own would take some KB of the wheel.

cdef extern from *:
    """
    #include <stddef.h>
    #ifndef _WIN32
    #include <signal.h>
    #include <string.h>
    #include <unistd.h>

    // A handler of signals can use no objects of Python, and no memory of the heap.
    static char last_message[8192], last_paths[16384];
    static size_t message_length, paths_length;

    static void end_with_words(int number) {
        size_t at;
        (void)number;
        if (write(2, last_message, message_length) < 0) {
            // Nobody reads them.
        }
        for (at = 0; at < paths_length; at += strlen(last_paths + at) + 1) {
            unlink(last_paths + at);
        }
        _exit(3);
    }

    static void set_words(const char* message, size_t length, const char* paths, size_t size) {
        message_length = length < sizeof(last_message) ? length : sizeof(last_message);
        memcpy(last_message, message, message_length);
        // A path that is cut would be another one.
        paths_length = size <= sizeof(last_paths) ? size : 0;
        memcpy(last_paths, paths, paths_length);
        signal(SIGABRT, message_length ? end_with_words : SIG_DFL);
    }
    #else
    static void set_words(const char* message, size_t length, const char* paths, size_t size) {
        (void)message, (void)length, (void)paths, (void)size;
    }
    #endif
    """
    void set_words(const char* message, size_t length, const char* paths, size_t size) noexcept


def set_last_words(bytes message not None, bytes paths not None):
    """Says what is done at SIGABRT; an empty message leaves it to the system. Each path ends with a NUL byte."""
    set_words(message, <size_t> len(message), paths, <size_t> len(paths))
