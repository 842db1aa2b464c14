"""Somebody whom the daemon takes for a receiver: usage: line_server.py PORT

Takes TCP connections on 127.0.0.1 and prints "connected" for each. Every line of standard input goes to all of them, and those that come together go
together; one that begins with "FLOOD " is as many letters as it says, and an end of line. Ends with standard input.
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
            pass  # It has left.
