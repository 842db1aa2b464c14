import Digests
import Testing

@Suite struct FowlerNollVoTests {
  @Test(
    "a text has the hash of the standard",
    arguments: [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)])
  func vectors(text: String, hash: UInt64) { #expect(FowlerNollVo.hash(text) == hash) }
}
