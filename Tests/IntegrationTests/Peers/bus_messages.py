"""D-Bus messages by hand, little-endian, as the D-Bus specification describes them."""

import struct

ALIGNMENT = dict(y=1, b=4, n=2, q=2, i=4, u=4, x=8, t=8, d=8, s=4, o=4, g=1, a=4, v=1, h=4)
FORMATS = dict(y="B", b="I", n="h", q="H", i="i", u="I", x="q", t="Q", d="d", h="I")


class Writer:
    """The marshalling of the D-Bus specification, little-endian."""

    def __init__(self, octets=b""):
        self.octets = bytearray(octets)

    def pad(self, alignment):
        self.octets += bytes(-len(self.octets) % alignment)

    def put(self, signature, value):
        kind = signature[0]
        if kind in "({":
            self.pad(8)
            for part, member in zip(split(signature[1:-1]), value):
                self.put(part, member)
            return
        self.pad(ALIGNMENT[kind])
        if kind in FORMATS:
            self.octets += struct.pack("<" + FORMATS[kind], value)
        elif kind in "so":
            text = value.encode()
            self.octets += struct.pack("<I", len(text)) + text + b"\0"
        elif kind == "g":
            self.octets += bytes([len(value)]) + value.encode() + b"\0"
        elif kind == "v":
            self.put("g", value[0])
            self.put(value[0], value[1])
        elif kind == "a":
            place = len(self.octets)
            self.octets += bytes(4)
            self.pad(8 if signature[1] in "({" else ALIGNMENT[signature[1]])
            start = len(self.octets)
            for element in value:
                self.put(signature[1:], element)
            struct.pack_into("<I", self.octets, place, len(self.octets) - start)


def split(signature):
    """Yields the complete types of a signature."""
    types = []
    while signature:
        end = complete(signature)
        types.append(signature[:end])
        signature = signature[end:]
    return types


def complete(signature):
    if signature[0] == "a":
        return 1 + complete(signature[1:])
    if signature[0] not in "({":
        return 1
    depth = 0
    for index, letter in enumerate(signature):
        depth += (letter in "({") - (letter in ")}")
        if not depth:
            return index + 1


def message(kind, serial, fields, signature="", arguments=(), flags=0):
    body = Writer()
    for part, value in zip(split(signature), arguments):
        body.put(part, value)
    if signature:
        fields = fields + [(8, ("g", signature))]
    header = Writer(struct.pack("<BBBBII", ord("l"), kind, flags, 1, len(body.octets), serial))
    header.put("a(yv)", fields)
    header.pad(8)
    return bytes(header.octets + body.octets)
