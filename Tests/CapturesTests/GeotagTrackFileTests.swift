import Captures
import Failures
import Foundation
import Geotagging
import Instants
import TestSupport
import Testing

/// Tracks of photos on disk.
@Suite struct GeotagTrackFileTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func read(_ text: String) throws -> GeotagTrack {
    let path = folder.file("track")
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    var track = GeotagTrack()
    try track.read(file: path)
    return track
  }

  @Test func `a track that exceeds one chunk is read completely`() throws {
    let start = Instant(microseconds: 1_780_000_000_000_000)
    let lines = (0..<3000).map { #"{"latitude":48.1,"longitude":11.5,"time":"\#((start + .seconds(Double($0))).rfc3339)"}"# }
    let text = lines.joined(separator: "\n") + "\n"
    #expect(text.utf8.count > 1 << 16)
    #expect(try read(text).fixCount == 3000)
  }

  @Test func `a file without a track names itself and its remedy, and a missing one counts as missing input`() throws {
    #expect {
      _ = try read("# notes\n# more\n")
    } throws: {
      ($0 as? Failure)?.status == .dataError && "\($0)".hasPrefix(folder.file("track"))
    }
    var track = GeotagTrack()
    #expect {
      try track.read(file: folder.file("missing"))
    } throws: {
      ($0 as? Failure)?.status == .noInput
    }
  }
}
