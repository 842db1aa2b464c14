"""Somebody whom the daemon takes for a receiver: usage: line_server.py PORT

Takes TCP connections on 127.0.0.1 and prints "connected" for each. Every line of standard input goes to all of them; one that begins with "FLOOD " is as many letters
as it says, and an end of line. Ends with standard input.
"""

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
for line in sys.stdin:
    text = line.rstrip("\n")
    if text.startswith("FLOOD "):
        text = "x" * int(text[6:])
    for client in clients:
        try:
            client.sendall((text + "\r\n").encode())
        except OSError:
            pass  # It has left.
