"""Takes a picture of an Xvfb with -fbdir: screenshot.py FRAMEBUFFER PNG [OTHER...]

Waits until the screen shows something, stands still, and differs from the other pictures. Prints width, height, the number of colours, and the
number of pixels in a strong colour.
"""

import struct
import sys
import time
import zlib


def picture(path):
    """Returns width, height and the rows as RGB of an X window dump with 32 bits a pixel."""
    with open(path, "rb") as file:
        data = file.read()
    header = struct.unpack(">25I", data[:100])
    width, height, is_big_endian, bits, stride = header[4], header[5], header[7], header[11], header[12]
    assert bits == 32, f"{bits} bits a pixel"
    start = header[0] + 12 * header[19]
    rows = []
    for offset in range(start, start + stride * height, stride):
        row = data[offset:offset + 4 * width]
        octets = bytearray(3 * width)
        for colour in range(3):
            octets[colour::3] = row[colour + 1::4] if is_big_endian else row[2 - colour::4]
        rows.append(bytes(octets))
    return width, height, rows


def png(width, height, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    image = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", image) + chunk(b"IEND", b"")


def pixels(rows):
    for row in rows:
        yield from zip(row[0::3], row[1::3], row[2::3])


framebuffer, path, *others = sys.argv[1:]
others = [open(other, "rb").read() for other in others]
deadline = time.monotonic() + 30
seen, times = None, 0
while times < 4:
    assert time.monotonic() < deadline, "nothing else was drawn"
    # Polls until the picture was the same four times, or until the deadline.
    time.sleep(0.05)
    width, height, rows = picture(framebuffer)
    times = times + 1 if rows == seen else 0
    seen = rows
    if times == 4 and (len(set(rows)) < 20 or png(width, height, rows) in others):
        times = 0
with open(path, "wb") as file:
    file.write(png(width, height, seen))
print(width, height, len(set(pixels(seen))), sum(max(pixel) - min(pixel) > 100 for pixel in pixels(seen)))
