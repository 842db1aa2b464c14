"""A relay before the server, whose connections a test can cut."""
import socket
import threading


class Relay:
    """Listens on a port of its own. `stop` ends all connections and refuses others until `start`."""

    def __init__(self, target):
        self.target = target
        self.port = None
        self.start()

    def start(self):
        self.connections = []
        self.listener = socket.create_server(("127.0.0.1", self.port or 0), reuse_port=True)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def stop(self):
        # A thread that waits for a connection keeps the port open; the shutdown wakes it.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()

    def _accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
                server = socket.create_connection(self.target)
            except OSError:
                return
            self.connections += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._copy, args=(source, sink), daemon=True).start()

    @staticmethod
    def _copy(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
