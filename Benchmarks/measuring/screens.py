"""The screen of `beaconmon range` with 200 beacons at 2,000 advertisements a second: its processor time, its frames and its memory, and
the frames of a terminal that takes 2,000 octets a second."""
import fcntl
import os
import pty
import select
import struct
import tempfile
import termios
import threading
import time

from .background import Background
from .bus import private_bus
from .radio import processor_seconds
from .sessions import UUID, beaconmond, resident_kib, sighting, wait_for
from .setup import PROGRAMS

BEACONS, RATE, SECONDS = 200, 2000, 10
ROWS, COLUMNS = 50, 132
CORE_LIMIT, FRAMES_LIMIT, SLOW_OCTETS = 3, 10, 2000
# Every frame ends with it.
ERASE_BELOW = b"\x1b[J"


def measure(table, rounds):
    shares, frames, octets, memory, starts, slow = [], [], [], [], [], []
    for _ in range(min(rounds, 3)):
        with tempfile.TemporaryDirectory() as folder, private_bus() as address:
            with beaconmond(str(PROGRAMS / "beaconmond"), address, folder) as (_, fifo), Feed(fifo):
                with Terminal(address) as terminal:
                    starts.append(terminal.start * 1000)
                    wait_for(lambda: terminal.frames > 5)
                    # One key a tenth of a second, so that the screen has a reason for more frames than the snapshots give.
                    before = terminal.frames, terminal.octets, processor_seconds(terminal.pid)
                    terminal.watch(SECONDS, key=b"\x1b[B")
                    after = terminal.frames, terminal.octets, processor_seconds(terminal.pid)
                    busy = (after[0] - before[0]) / SECONDS
                    before = processor_seconds(terminal.pid)
                    base = terminal.octets, terminal.frames
                    terminal.watch(SECONDS)
                    shares.append((processor_seconds(terminal.pid) - before) / SECONDS * 100)
                    octets.append((terminal.octets - base[0]) / max(1, terminal.frames - base[1]))
                    frames.append(busy)
                    memory.append(resident_kib(terminal.pid) / 1024)
                with Terminal(address, pace=SLOW_OCTETS) as terminal:
                    terminal.watch(SECONDS, key=b"\x1b[B")
                    slow.append(terminal.frames / SECONDS)
    table.show("range, 200 beacons at 2,000/s, % of a core", shares, CORE_LIMIT)
    table.show("its frames/s while keys are pressed", frames, FRAMES_LIMIT + 0.5)
    table.show("octets of a frame", octets)
    table.show("its memory, RSS MiB", memory)
    table.show("start to the first frame, ms", starts)
    table.show(f"frames/s at {SLOW_OCTETS} octets/s", slow, FRAMES_LIMIT / 2)


class Terminal:
    """Runs the command under a pseudo-terminal, and reads its output: at once, or `pace` octets a second."""

    def __init__(self, address, pace=None):
        self.pace, self.frames, self.octets, self.pending = pace, 0, 0, b""
        began = time.monotonic()
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
            program = str(PROGRAMS / "beaconmon")
            os.execve(program, [program, "range", UUID, "--bus", address], environment)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.read)
        self.thread.start()
        wait_for(lambda: self.frames > 0)
        self.start = time.monotonic() - began

    def read(self):
        while not self.ended.is_set():
            if self.pace:
                time.sleep(0.05)
            if not select.select([self.descriptor], [], [], 0.05)[0]:
                continue
            try:
                chunk = os.read(self.descriptor, max(1, self.pace // 20) if self.pace else 1 << 16)
            except OSError:
                return
            self.octets += len(chunk)
            self.pending += chunk
            self.frames += self.pending.count(ERASE_BELOW)
            self.pending = self.pending[-(len(ERASE_BELOW) - 1):]

    def watch(self, seconds, key=None):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if key:
                os.write(self.descriptor, key)
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.pid, 15)
        os.waitpid(self.pid, 0)
        self.ended.set()
        self.thread.join()
        os.close(self.descriptor)


class Feed(Background):
    """Sends the advertisements of all beacons until the block ends, each ten times a second."""

    def __init__(self, fifo):
        super().__init__()
        self.fifo = fifo

    def run(self):
        begin, tick = time.monotonic(), 0
        while not self.ended.wait(max(0, begin + tick / 10 - time.monotonic())):
            # The feed is one write, because a FIFO takes 64 KiB.
            self.fifo.write(b"".join(sighting(minor, tick * 100_000 + minor * 500) for minor in range(BEACONS)))
            tick += 1
