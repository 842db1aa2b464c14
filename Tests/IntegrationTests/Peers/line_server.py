"""A peer that the daemon uses as a receiver: usage: line_server.py PORT

Accepts TCP connections on 127.0.0.1 and prints "connected" for each. Sends every line of standard input to all of them, and lines that arrive
together in one write. "FLOOD N" sends N letters and a line end. Ends with standard input.
"""

import os
import socket
import sys
import threading

clients = []


def accept():
    while True:
        client, _ = listener.accept()
        clients.append(client)
        print("connected", flush=True)


listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
threading.Thread(target=accept, daemon=True).start()
print("ready", flush=True)
rest = b""
while octets := os.read(sys.stdin.fileno(), 1 << 16):
    *lines, rest = (rest + octets).split(b"\n")
    text = b"".join((b"x" * int(line[6:]) if line.startswith(b"FLOOD ") else line) + b"\r\n" for line in lines)
    for client in clients:
        try:
            client.sendall(text)
        except OSError:
            pass  # The peer has disconnected.
