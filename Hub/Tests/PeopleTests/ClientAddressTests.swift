import Testing

@testable import People

@Suite struct ClientAddressTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:0201", "192.0.2.1"), ("2001:db8:1:2::5", "2001:db8:1:2"),
    ("2001:DB8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:db8::5", "2001:db8:0:0"), ("::1", "0:0:0:0"), ("::", "0:0:0:0"),
    ("fe80::1%eth0", "fe80:0:0:0"), ("1::", "1:0:0:0"),
  ])
  func `an address counts as its network`(text: String, network: String) {
    #expect(ClientAddress(text)?.network == network)
  }

  @Test(arguments: [
    "", "localhost", "192.0.2", "192.0.2.256", "192.0.2.1:80", "192.0.2.+1", "[::1]", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3",
    ":::",
    "12345::", "::g", "1:2:3:4::5:6:7:8", "unknown", "proxy.example", ":1", "1:",
  ])
  func `another text is not an address`(text: String) {
    #expect(ClientAddress(text) == nil)
  }

  @Test(arguments: [
    (" 192.0.2.1:4711", "192.0.2.1"), ("[2001:db8::1]:80", "2001:db8:0:0"), ("[2001:db8::1]", "2001:db8:0:0"),
    ("2001:db8::1", "2001:db8:0:0"),
    ("::ffff:192.0.2.1", "192.0.2.1"), ("192.0.2.1 ", "192.0.2.1"),
  ])
  func `the port of a forwarded address is left out`(text: String, network: String) {
    #expect(ClientAddress(forwarded: text)?.network == network)
  }
}
