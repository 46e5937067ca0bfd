"""Runs one command and prints its cost as JSON.

A separate process, started with `python3 -I -S`: Linux counts the memory of the starting process in
the peak of the program, so it has to be small.
"""

import os
import sys
import time


def main(out, err, command):
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
        (os.POSIX_SPAWN_OPEN, 2, err, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
    ]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - start
    print('{"wall": %r, "cpu": %r, "kibibytes": %d, "status": %d}' % (
        wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss,
        os.waitstatus_to_exitcode(status)))


main(sys.argv[1], sys.argv[2], sys.argv[3:])
