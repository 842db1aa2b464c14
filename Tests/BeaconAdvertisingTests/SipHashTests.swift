import Testing

@testable import BeaconAdvertising

@Suite struct SipHashTests {
  /// The vectors of the paper's reference code (vectors.h) whose length is a multiple of eight.
  ///
  /// The key is 00 01 … 0f, and the messages are 00 01 02 ….
  @Test(
    arguments: [
      ([], 0x726F_DB47_DD0E_0E31), ([0x0706_0504_0302_0100], 0x93F5_F579_9A93_2462),
      ([0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908], 0x3F2A_CC7F_57C2_9BDB),
    ] as [([UInt64], UInt64)])
  func `the hash has the values of the reference implementation`(words: [UInt64], expected: UInt64) {
    var hash = SipHash(key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
    for word in words { hash.absorb(word) }
    #expect(hash.value == expected)
  }
}
