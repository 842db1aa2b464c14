import Numerals
import Testing

@Suite struct HexadecimalTests {
  @Test(
    "a number has zeros before it up to its width",
    arguments: [(0, "0000000000000000"), (0xAB, "00000000000000ab"), (.max, "ffffffffffffffff")])
  func numbers(number: UInt64, text: String) { #expect(Hexadecimal.digits(number) == text) }

  @Test("a number with more digits than the least number has all of them")
  func width() {
    #expect(Hexadecimal.digits(0xA, count: 4) == "000a" && Hexadecimal.digits(0x1_F4A9, count: 4, uppercase: true) == "1F4A9")
  }

  @Test("each octet has two digits, and reads as itself")
  func octets() {
    for octet in UInt8.min ... .max {
      let text = Hexadecimal.digits(of: octet)
      #expect(text.utf8.count == 2 && UInt8(text, radix: 16) == octet && text == text.lowercased())
      #expect(Hexadecimal.digits(of: octet, uppercase: true) == text.uppercased())
    }
    #expect(Hexadecimal.digits(of: [0, 0x0F, 0xF0]) == "000ff0" && Hexadecimal.digits(of: []).isEmpty)
  }

  @Test("128 bits have the groups of a UUID")
  func uuid() { #expect(Hexadecimal.uuid(0x0011_2233_4455_0677, 0x0899_AABB_CCDD_EEFF) == "00112233-4455-0677-0899-aabbccddeeff") }
}
