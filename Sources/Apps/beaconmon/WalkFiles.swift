import BeaconAdvertising
import Beacons
import Captures
import Failures
import Instants
import MonitorConfiguration
import ProgramSupport
import Scoring
import Venues

/// The files of a recorded walk whose true positions are known.
enum WalkFiles {
  /// Reads a table of positions.
  static func parse<Value>(_ path: String, _ body: (String) throws(PositionTableError) -> Value) throws(Failure) -> Value {
    let text = try text(of: path)
    do throws(PositionTableError) {
      return try body(text)
    } catch {
      throw Failure(.dataError, "\(path):\(error.line.map { "\($0):" } ?? "") \(error.message)")
    }
  }

  /// Reads a text file as UTF-8.
  static func text(of path: String) throws(Failure) -> String { String(decoding: try octets(path), as: UTF8.self) }

  /// A walk of a week has less.
  private static let mostOctets = 64 << 20

  private static func octets(_ path: String) throws(Failure) -> [UInt8] {
    var octets: [UInt8] = []
    do throws(CaptureFileError) {
      var file = try CaptureFile(path: path)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
      defer { buffer.deallocate() }
      while octets.count <= mostOctets, case let count = try file.read(into: buffer), count > 0 { octets += buffer.prefix(count) }
    } catch {
      throw Failure(error)
    }
    guard octets.count <= mostOctets else { throw Failure(.dataError, "\(path): is larger than 64 MiB; name another file") }
    return octets
  }

  /// Requires that a capture and its true positions are of the same time. A capture without a beacon is another fault.
  static func requireOverlap(_ sightings: [Sighting], _ capture: String, _ truth: WalkTruth, _ path: String) throws(Failure) {
    guard let first = sightings.map(\.time).min(), let last = sightings.map(\.time).max() else { return }
    guard !truth.overlaps(first...last) else { return }
    throw Failure(
      .dataError,
      "\(path): its times, \(truth.start.rfc3339) to \(truth.end.rfc3339), do not overlap those of \(capture), \(first.rfc3339) to "
        + "\(last.rfc3339); name the true positions of this capture, with Unix times in UTC")
  }

  /// Reads the sightings of a capture; none of the walk of a location receiver.
  ///
  /// - Parameter roster: the settings of the adapters, and their numbers, which are the same in all captures.
  static func sightings(_ capture: String, roster: inout AdapterRoster) throws(Failure) -> [Sighting] {
    var sightings: [Sighting] = []
    do throws(CaptureFileError) {
      var file = try CaptureFile(path: capture)
      guard !file.isWalk() else { return [] }
      var reader = CaptureReader(file)
      reader.configure(roster.settings)
      do throws(CaptureFileError) {
        while try reader.read(into: &sightings) {}
      } catch {
        // A capture that was cut off is still a capture.
        guard error.isTruncation else { throw error }
      }
      roster.renumber(&sightings, of: reader.roster)
      return sightings
    } catch {
      throw Failure(error)
    }
  }
}
