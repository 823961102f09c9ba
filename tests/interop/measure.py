# SPDX-License-Identifier: MIT
"""Time of commands, measured side by side."""

import os
import statistics
import subprocess
import time


class Times:
    """Wall clock and CPU seconds of the runs of one command."""

    def __init__(self):
        self.wall, self.cpu = [], []

    def run(self, argv, env):
        """With the CPU time of all processes that the command starts and waits for."""
        begin = time.perf_counter()
        process = subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, argv)
        self.wall.append(time.perf_counter() - begin)
        self.cpu.append(usage.ru_utime + usage.ru_stime)


def side_by_side(argv, environments, runs):
    """[Times] of the command in each environment. The runs take turns, so that a time in
    which the machine is slow meets all alike; a first one of each only fills the caches."""
    times = [Times() for _ in environments]
    for env in environments:
        Times().run(argv, env)
    for turn in range(runs):
        pairs = list(zip(times, environments))
        for one, env in pairs if turn % 2 == 0 else reversed(pairs):
            one.run(argv, env)
    return times


def median(values):
    """As text: 12.3 (11.9-14.0)."""
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def ratio(theirs, ours):
    """As text: the quotient of the medians, and the range of the quotients of the runs that
    stood next to each other."""
    pairs = [a / b for a, b in zip(theirs, ours)]
    value = statistics.median(theirs) / statistics.median(ours)
    return f"{value:.2f} ({min(pairs):.2f}-{max(pairs):.2f})"
