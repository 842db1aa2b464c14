import Seeds
import Terminal
import Testing

@Suite struct KeyDecoderTests {
  private func keys(_ text: String) -> [TerminalKey] {
    var decoder = KeyDecoder()
    return decoder.decode(Array(text.utf8))
  }

  @Test func `characters, controls and the sequences of a terminal become keys`() {
    #expect(keys("q展é") == [.character("q"), .character("展"), .character("é")])
    #expect(keys("\r\n\u{7F}\u{08}\u{0C}\u{15}") == [.enter, .enter, .backspace, .backspace, .redraw, .clearLine])
    #expect(keys("\u{1B}[A\u{1B}[B\u{1B}OA\u{1B}OB") == [.up, .down, .up, .down])
    #expect(
      keys("\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}OH\u{1B}[8~") == [
        .pageUp, .pageDown, .home, .end, .home, .end, .home, .end,
      ])
  }

  @Test func `a sequence in pieces is one key, and a lone escape is one after a while`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [] && decoder.isWaiting)
    #expect(decoder.decode([UInt8(ascii: "[")]) == [] && decoder.isWaiting)
    #expect(decoder.decode([UInt8(ascii: "A")]) == [.up] && !decoder.isWaiting)
    #expect(decoder.decode([0xE5, 0xB1]) == [] && decoder.decode([0x95]) == [.character("展")])
    #expect(decoder.decode([0x1B]) == [] && decoder.flush() == [.escape] && !decoder.isWaiting)
    #expect(decoder.decode([0x1B, 0x1B]) == [.escape] && decoder.flush() == [.escape])
  }

  @Test func `unknown sequences, controls and broken octets are skipped`() {
    #expect(keys("\u{1B}[1;5C\u{1B}[24~\u{1B}[<0;1;2Mx\u{1B}mq\u{01}\u{00}") == [.character("x"), .character("q")])
    var decoder = KeyDecoder()
    #expect(decoder.decode([0xFF, 0xC0, 0x80, 0xE5, 0x20, UInt8(ascii: "a")]) == [.character(" "), .character("a")])
    #expect(keys("\u{202E}\u{9B}a") == [.character("a")])
  }

  @Test func `random octets never crash the decoder, and never make it grow`() {
    var random = SeededGenerator(seed: 3)
    var decoder = KeyDecoder()
    for _ in 0..<20_000 {
      let octets = (0..<Int.random(in: 1...9, using: &random)).map { _ in
        [0x1B, UInt8(ascii: "["), UInt8(ascii: "O"), .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      }
      _ = decoder.decode(octets)
    }
    _ = decoder.flush()
    #expect(decoder.decode([UInt8(ascii: "q")]) == [.character("q")])
  }
}
