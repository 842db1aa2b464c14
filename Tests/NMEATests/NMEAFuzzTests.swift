import Instants
import Locations
import NMEA
import Records
import TestSupport
import Testing

/// The walk with octets changed, doubled and lost, and in pieces of any size.
///
/// Every line is counted once, the pieces make no difference, and every location is possible.
@Suite struct NMEAFuzzTests {
  @Test(arguments: [1, UInt64.random(in: 2...(.max))])
  func `damaged streams never trap and never yield an impossible position`(seed: UInt64) throws {
    print("NMEA fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let walk = try Fixture.octets("walk.nmea")
    for _ in 0..<300 {
      let start = Int.random(in: 0..<walk.count - 1000, using: &random)
      let octets = damaged(Array(walk[start..<start + 1000]), using: &random)
      let whole = decode(octets, longest: octets.count, using: &random)
      let pieces = decode(octets, longest: 40, using: &random)
      #expect(whole.reports == pieces.reports)
      #expect(whole.counts == pieces.counts)
      let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let ended = lines.dropLast().count { !$0.isEmpty && $0 != [UInt8(ascii: "\r")] }
      // A line that is too long is counted before its end.
      #expect((ended...ended + 1).contains(whole.counts.lines))
      for case .reading(let reading) in whole.reports {
        guard let location = try? Location(reading, from: Location.Source("nmea"), at: Receipt(recorded: Instant(microseconds: 0))) else {
          continue
        }
        #expect(location.horizontalAccuracy.map { $0 > 0 } ?? true)
      }
    }
  }

  private func damaged(_ octets: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var octets = octets
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      let place = Int.random(in: 0..<octets.count - 60, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: octets[place] = .random(in: 0...255, using: &random)
      case 1: octets[place] = Array("$*,.-0\r\n".utf8).randomElement(using: &random) ?? 0
      case 2: octets.remove(at: place)
      case 3: octets.insert(contentsOf: octets[place..<place + 50], at: place)
      default: octets.insert(contentsOf: [UInt8](repeating: 0x30, count: 300), at: place)
      }
    }
    return octets
  }

  private func decode(
    _ octets: [UInt8], longest: Int, using random: inout SeededGenerator
  ) -> (reports: [SourceReport], counts: LineCounts<NMEAFault>) {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    var rest = octets[...]
    while !rest.isEmpty {
      let count = longest < octets.count ? Int.random(in: 1...longest, using: &random) : longest
      decoder.decode(rest.prefix(count), at: Instant(microseconds: 0), into: &reports)
      rest = rest.dropFirst(count)
    }
    decoder.finish(into: &reports)
    return (reports, decoder.counts)
  }
}
