#!/usr/bin/python3
"""Accepts webhooks on a free port of the loopback: prints the port, and a line for each request."""
import http.server


class Till(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
        print("delivery")

    def log_message(self, format, *arguments):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Till)
print(server.server_port)
server.serve_forever()
