import LocalEndpoints
import Testing

@Suite struct LocalEndpointTests {
  @Test func `a path is a socket with the given access`() throws {
    #expect(try LocalEndpoint(text: "/run/a.sock", access: .owner) == .socket(path: "/run/a.sock", access: .owner))
    #expect(SocketAccess.allCases.map(\.mode) == [0o600, 0o660, 0o666])
  }

  @Test(arguments: ["127.0.0.1:9851", "127.1.2.3:1", "[::1]:65535"])
  func `a loopback address with a port is accepted`(text: String) throws {
    #expect("\(try LocalEndpoint(text: text, access: .group))" == text)
  }

  @Test(arguments: [
    ("0.0.0.0:9851", "not an address of the loopback interface; write 127.0.0.1:9851 or a path"),
    ("192.168.0.4:80", "not an address of the loopback interface"), ("[::]:80", "not an address of the loopback interface"),
    (":80", "not an address of the loopback interface"), ("localhost:80", "not an address of the loopback interface"),
    ("127.0.0.256:80", "not an address of the loopback interface"), ("127.0.0:80", "not an address of the loopback interface"),
    ("127.0.0.1:0", "not a port"), ("127.0.0.1:65536", "not a port"), ("127.0.0.1:+80", "not a port"),
    ("9851", "neither a path nor a port"),
    ("metrics.sock", "neither a path nor a port"), ("/run/", "not the path of a file"),
    ("/\(String(repeating: "a", count: 107))", "has 108 octets; the path of a socket has at most 107"), ("", "neither a path nor a port"),
  ])
  func `an address that other machines may reach or that is malformed is refused`(text: String, reason: String) {
    #expect {
      try LocalEndpoint(text: text, access: .group)
    } throws: { "\($0)".contains(reason) }
  }
}
