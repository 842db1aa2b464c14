import EventLoop
import TestSupport

extension BusFixture {
  /// Calls a method without naming an interface, and returns the text of its answer. No client library can do that.
  func rawCall(_ destination: String, _ path: String, _ member: String) throws -> String {
    let socket = String(bus.address.dropFirst("unix:path=".count))
    return try loop.result(of: ["python3", "-c", Self.script, socket, destination, path, member]).output.text
  }

  /// A peer that speaks the wire protocol by itself (D-Bus specification, "Message Protocol").
  ///
  /// It is little-endian, with the header fields 1 path, 3 member, 6 destination, 7 sender, 8 signature.
  private static let script = """
    import os, socket, struct, sys
    path, destination, object, member = sys.argv[1:]
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(path)
    stream = peer.makefile('rwb')
    stream.write(b'\\0AUTH EXTERNAL ' + str(os.getuid()).encode().hex().encode() + b'\\r\\n')
    stream.flush()
    assert stream.readline().startswith(b'OK')
    stream.write(b'BEGIN\\r\\n')

    def padded(octets, size):
        return octets + bytes(-len(octets) % size)

    def call(serial, destination, object, member):
        fields = b''
        for code, kind, text in [(1, b'o', object), (3, b's', member), (6, b's', destination)]:
            text = text.encode()
            fields = padded(fields, 8) + bytes([code, 1]) + kind + bytes(1) + struct.pack('<I', len(text)) + text + bytes(1)
        header = b'l\\1\\0\\1' + struct.pack('<III', 0, serial, len(fields)) + fields
        stream.write(padded(header, 8))
        stream.flush()
        while True:
            head = stream.read(16)
            body, _, length = struct.unpack('<III', head[4:])
            fields = stream.read(length + -length % 8)
            content = stream.read(body)
            if head[1] in (2, 3) and struct.pack('<BBsBI', 5, 1, b'u', 0, serial) in fields:
                size = struct.unpack('<I', content[:4])[0]
                return {2: 'reply: ', 3: 'error: '}[head[1]] + content[4:4 + size].decode()

    call(1, 'org.freedesktop.DBus', '/org/freedesktop/DBus', 'Hello')
    print(call(2, destination, object, member))
    """
}
