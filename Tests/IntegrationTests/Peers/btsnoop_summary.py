#!/usr/bin/env python3
"""Reads a btsnoop capture of a Linux monitor without our code, and prints its contents as one JSON object.

Layout: BlueZ, doc/btsnoop.txt and src/shared/btsnoop.h; Bluetooth Core Specification 5.4, Volume 4, Part E, 7.7.65.2.
"""
import collections
import json
import struct
import sys

EPOCH = 0x00DCDDB30F2F8000

data = open(sys.argv[1], "rb").read()
magic, version, link = struct.unpack_from(">8sII", data)
assert (magic, version, link) == (b"btsnoop\0", 1, 2001), (magic, version, link)
offset, times, adapters = 16, [], set()
beacons, rssi, addresses, others = collections.Counter(), collections.defaultdict(list), set(), 0
while offset < len(data):
    original, included, flags, drops, time = struct.unpack_from(">IIIIq", data, offset)
    assert original == included and drops == 0, (original, included, drops)
    packet = data[offset + 24:offset + 24 + included]
    assert len(packet) == included
    offset += 24 + included
    times.append(time - EPOCH)
    adapter, opcode = flags >> 16, flags & 0xFFFF
    if opcode != 3:
        continue
    adapters.add(adapter)
    code, length, subevent, count, kind, address_type = packet[:6]
    assert (code, length, subevent, count) == (0x3E, len(packet) - 2, 0x02, 1), packet.hex()
    addresses.add(packet[6:12])
    size = packet[12]
    advertisement, level = packet[13:13 + size], struct.unpack_from("b", packet, 13 + size)[0]
    assert len(packet) == 14 + size and size <= 31
    position, identity = 0, None
    while position < size:
        step = advertisement[position]
        body = advertisement[position + 1:position + 1 + step]
        assert len(body) == step and step > 0, advertisement.hex()
        if body[:5] == b"\xff\x4c\x00\x02\x15" and step == 26:
            identity = struct.unpack_from(">HH", body, 21)
        position += 1 + step
    if identity:
        beacons["%d/%d" % identity] += 1
        rssi["%d/%d" % identity].append(level)
    else:
        others += 1
print(json.dumps({
    "beacons": dict(beacons), "others": others, "addresses": len(addresses), "adapters": sorted(adapters),
    "first": times[0], "last": times[-1], "ordered": times == sorted(times),
    "meanRSSI": {name: sum(levels) / len(levels) for name, levels in rssi.items()},
}))
