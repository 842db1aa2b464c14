import FleetMessages
import Testing

@testable import Sodium

@Suite struct SigningKeyTests {
  private static func octets(_ digits: String) -> [UInt8] {
    stride(from: 0, to: digits.utf8.count, by: 2).map { offset in
      let start = digits.index(digits.startIndex, offsetBy: offset)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) ?? 0
    }
  }

  @Test("a signature is that of RFC 8032 (section 7.1, test 3)")
  func vector() throws {
    let key = try SigningKey(seed: Self.octets("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"))
    #expect(key.publicKey == Self.octets("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"))
    let signature = try key.signature(of: [0xAF, 0x82])
    #expect(
      signature
        == Self.octets(
          "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ))
    #expect(try SodiumVerifier().isValid(signature, of: [0xAF, 0x82], by: key.publicKey))
  }

  @Test("a signature is valid for one rollout and one key alone")
  func rollout() throws {
    let (key, other) = (try SigningKey(), try SigningKey())
    let rollout = Rollout(revision: 7, created: 1_795_000_000_000, audience: [.site("berlin")], dropIn: "[ranging]\n")
    let signed = try key.signed(rollout)
    let verifier = SodiumVerifier()
    #expect(try Rollout(signed.envelope) == rollout)
    #expect(try verifier.isValid(signed.signature, of: signed.signedOctets, by: key.publicKey))
    #expect(try !verifier.isValid(signed.signature, of: signed.signedOctets, by: other.publicKey))
    #expect(try !verifier.isValid(signed.signature, of: signed.envelope, by: key.publicKey), "the context is a part of what is signed")
    for index in signed.envelope.indices {
      var changed = signed
      changed.envelope[index] ^= 1
      #expect(try !verifier.isValid(changed.signature, of: changed.signedOctets, by: key.publicKey))
    }
    #expect(try !verifier.isValid([], of: signed.signedOctets, by: key.publicKey))
    #expect(try !verifier.isValid(signed.signature, of: signed.signedOctets, by: []))
    #expect(throws: SigningError.self) { try SigningKey(seed: [1, 2, 3]) }
  }

  @Test("a key is the same after its file is read, and other text is not a key")
  func file() throws {
    let key = try SigningKey()
    #expect(key.file.hasPrefix("beaconmon rollout key 1 ") && key.file.hasSuffix("\n"))
    #expect(try SigningKey(file: key.file)?.publicKey == key.publicKey)
    let other = [
      "", "beaconmon rollout key 1 ", "beaconmon rollout key 2 " + key.file.dropFirst(24), String(key.file.dropLast(3)), "x" + key.file,
    ]
    for text in other { #expect(try SigningKey(file: text) == nil, "\(text)") }
  }
}
