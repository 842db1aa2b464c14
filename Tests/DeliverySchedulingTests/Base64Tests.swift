import DeliveryScheduling
import Testing

@Suite struct Base64Tests {
  /// RFC 4648, section 10.
  static let vectors = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: vectors)
  func `octets are encoded and decoded as in the specification`(plain: String, text: String) {
    #expect(Base64.text(Array(plain.utf8)) == text)
    #expect(Base64.octets(text) == Array(plain.utf8))
  }

  @Test func `all octets survive encoding, including the last two characters of the alphabet`() {
    let octets = Array(UInt8.min...UInt8.max)
    #expect(Base64.octets(Base64.text(octets)) == octets)
    #expect(Base64.text([251, 255]) == "+/8=")
  }

  @Test func `padding is optional`() {
    #expect(Base64.octets("Zm9vYg") == Array("foob".utf8))
  }

  @Test(arguments: ["Z", "Zg=", "Zg===", "====", "Zm9v=", "Zm 9v", "Zm9-", "Zh==", "é"])
  func `malformed text is not base64`(text: String) {
    #expect(Base64.octets(text) == nil)
  }
}
