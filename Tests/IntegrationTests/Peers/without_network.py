"""Runs a program without IP sockets, as a unit with RestrictAddressFamilies=AF_UNIX does: without_network.py PROGRAM ARGUMENT..."""

import ctypes
import errno
import os
import platform
import socket
import struct
import sys

SOCKET_CALL = {"x86_64": 41, "aarch64": 198}[platform.machine()]
LOAD, IS, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EAFNOSUPPORT
SET_NO_NEW_PRIVS, SET_SECCOMP, FILTER = 38, 22, 2

# The offsets in seccomp_data of the call number and of the low half of its first argument.
lines = [
    (LOAD, 0, 0, 0), (IS, 0, 4, SOCKET_CALL),
    (LOAD, 0, 0, 16), (IS, 1, 0, socket.AF_INET), (IS, 0, 1, socket.AF_INET6),
    (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(lines), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
for arguments in [(SET_NO_NEW_PRIVS, 1, 0, 0, 0), (SET_SECCOMP, FILTER, program, 0, 0)]:
    if libc.prctl(*arguments):
        sys.exit(os.strerror(ctypes.get_errno()))
os.execv(sys.argv[1], sys.argv[1:])
