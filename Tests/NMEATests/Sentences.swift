import Instants
import Locations
import NMEA
import Records
import TestSupport

func sentence(_ content: String) -> String { Walk.sentence(content) }

extension NMEADecoder {
  /// Decodes sentences in one chunk, and ends.
  static func reports(of texts: String...) -> (reports: [SourceReport], counts: LineCounts<NMEAFault>) {
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
