import Beacons
import Testing

@testable import BeaconAdvertising

@Suite struct AddressPseudonymTests {
  private let pseudonyms = AddressPseudonyms(key: (1, 2))

  private func address(_ text: String) throws -> BluetoothAddress { try #require(BluetoothAddress(text)) }

  @Test(arguments: ["C0:11:22:33:44:55", "7A:11:22:33:44:55", "3F:11:22:33:44:55"])
  func `the pseudonym of a random address keeps its kind: static, resolvable or neither`(text: String) throws {
    let original = try address(text)
    let pseudonym = pseudonyms.pseudonym(of: original, isRandom: true)
    #expect(pseudonym.reversedOctets[5] & 0xC0 == original.reversedOctets[5] & 0xC0)
    #expect(pseudonym != original)
  }

  @Test func `the pseudonym of a public address is locally administered and unique to the device`() throws {
    for last in 0..<100 {
      let pseudonym = pseudonyms.pseudonym(of: BluetoothAddress(reversed: [UInt8(last), 0x71, 0xDA, 0x7D, 0x1A, 0x00]), isRandom: false)
      #expect(pseudonym.reversedOctets[5] & 0x03 == 0x02)
    }
  }

  @Test func `an address keeps its pseudonym under one key and gets another one under another key`() throws {
    let original = try address("C0:11:22:33:44:55")
    let pseudonym = pseudonyms.pseudonym(of: original, isRandom: true)
    #expect(AddressPseudonyms(key: (1, 2)).pseudonym(of: original, isRandom: true) == pseudonym)
    #expect(AddressPseudonyms(key: (1, 3)).pseudonym(of: original, isRandom: true) != pseudonym)
    #expect(AddressPseudonyms(key: (0, 2)).pseudonym(of: original, isRandom: true) != pseudonym)
  }

  @Test func `different addresses have different pseudonyms`() {
    let all = (0..<10_000).map { number in
      pseudonyms.pseudonym(of: BluetoothAddress(reversed: [UInt8(number & 0xFF), UInt8(number >> 8), 0, 0, 0, 0xC0]), isRandom: true)
    }
    #expect(Set(all).count == 10_000)
  }
}
