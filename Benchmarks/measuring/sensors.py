"""Sensors of industrial I/O in the form of sysfs, whose values a thread writes: a magnetometer, an accelerometer and a gyroscope."""
import math
import os
import pathlib
import random
import time

from .background import Background

RATE = 50
# µT at San Francisco.
HORIZONTAL, DOWN = 23.7, 41.9
BIAS = (25.0, -20.0, 24.0)
WIDTH = 8


class Sensors(Background):
    """A folder for BEACONMON_IIO. The device tumbles, rests, or turns on a table; `magnet` is a field in µT beside it."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder, "devices")
        device = self.root / "iio:device0"
        device.mkdir(parents=True)
        for name, text in (("name", "ak8963"), ("in_magn_scale", "0.001"), ("in_accel_scale", "0.001"), ("in_anglvel_scale", "0.001")):
            (device / name).write_text(text + "\n")
        self.files = {}
        for kind in ("magn", "accel", "anglvel"):
            for axis in "xyz":
                path = device / f"in_{kind}_{axis}_raw"
                path.write_text("0".rjust(WIDTH, "0") + "\n")
                self.files[kind, axis] = os.open(path, os.O_WRONLY)
        self.motion, self.magnet = "rest", (0.0, 0.0, 0.0)
        self.axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        self.random = random.Random(1)
        self.rate = [0.0, 0.0, 0.0]
        super().__init__()

    def __exit__(self, *reason):
        super().__exit__(*reason)
        for file in self.files.values():
            os.close(file)

    def lay(self, heading):
        """Lays the device level, with its top to a magnetic heading."""
        angle = math.radians(heading)
        self.axes = [[math.cos(angle), math.sin(angle), 0.0], [-math.sin(angle), math.cos(angle), 0.0], [0.0, 0.0, 1.0]]
        self.rate = [0.0, 0.0, 0.0]

    def run(self):
        begin, number = time.monotonic(), 0
        while not self.ended.wait(max(0, begin + number / RATE - time.monotonic())):
            self.step(1 / RATE)
            number += 1

    def step(self, seconds):
        """Moves the device, and writes its samples."""
        if self.motion == "tumble":
            for axis in range(3):
                self.rate[axis] += -self.rate[axis] * seconds + 3 * math.sqrt(seconds) * self.random.gauss(0, 1)
        elif self.motion == "turn":
            self.rate = [0.0, 0.0, -0.5]
        else:
            self.rate = [0.0, 0.0, 0.0]
        for axis in range(3):
            self._rotate(axis, -self.rate[axis] * seconds)
        east, north, up = self.axes
        noise = lambda size: size * self.random.gauss(0, 1)
        for number, axis in enumerate("xyz"):
            field = HORIZONTAL * north[number] - DOWN * up[number] + BIAS[number] + self.magnet[number] + noise(0.3)
            self._write("magn", axis, field * 10)
            self._write("accel", axis, (9.80665 * up[number] + noise(0.02)) * 1000)
            self._write("anglvel", axis, self.rate[number] * 1000)

    def _rotate(self, axis, angle):
        """Rotates the room as seen from the device."""
        a, b = (axis + 1) % 3, (axis + 2) % 3
        sine, cosine = math.sin(angle), math.cos(angle)
        for vector in self.axes:
            vector[a], vector[b] = cosine * vector[a] - sine * vector[b], sine * vector[a] + cosine * vector[b]

    def _write(self, kind, axis, value):
        # Of one width, because the file is not truncated: a reader finds a whole number at any time.
        os.pwrite(self.files[kind, axis], f"{round(value):0{WIDTH}d}\n".encode(), 0)
