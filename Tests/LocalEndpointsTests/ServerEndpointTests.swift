import LocalEndpoints
import Testing

@Suite struct ServerEndpointTests {
  @Test(arguments: [
    ("0.0.0.0:8463", ServerEndpoint.network("0.0.0.0", 8463)), ("192.168.1.5:1", .network("192.168.1.5", 1)),
    ("[::]:443", .network("[::]", 443)), ("[2001:DB8::1]:443", .network("[2001:db8::1]", 443)),
    ("127.0.0.1:80", .local(.port(.ipv4(127, 0, 0, 1), 80))), ("[::1]:80", .local(.port(.ipv6, 80))),
    ("/run/a.sock", .local(.socket(path: "/run/a.sock", access: .group))),
  ])
  func `an address is read and written`(text: String, endpoint: ServerEndpoint) throws {
    #expect(try ServerEndpoint(text: text, access: .group) == endpoint)
    #expect("\(endpoint)" == text.lowercased())
  }

  @Test(arguments: [
    "1.2.3:80", "1.2.3.4", "1.2.3.256:80", "01.2.3.4:80", "1.2.3.4:0", "1.2.3.4:65536", "[zz]:80", "[]:80", "a.example:80", "",
  ])
  func `any other text is refused`(text: String) {
    #expect(throws: LocalEndpointError.self) { try ServerEndpoint(text: text, access: .group) }
  }
}
