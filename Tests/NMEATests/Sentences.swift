import Instants
import Locations
import NMEA

/// A sentence around its content, with the checksum that it should have.
func sentence(_ content: String) -> String {
  let digits = String(content.utf8.reduce(0, ^), radix: 16, uppercase: true)
  return "$\(content)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
}

extension NMEADecoder {
  /// Decodes what comes all at once, and ends there.
  static func reports(of texts: String...) -> (reports: [SourceReport], counts: NMEACounts) {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    decoder.decode(Array(texts.joined().utf8), at: Instant(microseconds: 0), into: &reports)
    decoder.finish(into: &reports)
    return (reports, decoder.counts)
  }
}

extension SourceReport {
  var reading: LocationReading? {
    if case .reading(let reading) = self { reading } else { nil }
  }
}
