import Geodesy
import Instants
import Locations
import Records
import TrackRecordings

/// Decodes a recorded track.
/// The formats are the lines of `beaconmon track --json` and `beaconmon heading --json`, NMEA 0183, and the JSON of gpsd.
/// The first line that is not empty decides about the format.
public struct GeotagTrackDecoder: Sendable {
  private enum Format {
    case records, walk
  }

  private static let longestLine = 65_536
  /// The number of unreadable lines after which the file is rejected.
  private static let mostStrange = 100

  private var format: Format?
  private var walk = WalkDecoder()
  private var cutter = LineCutter(longest: longestLine)
  /// The octets before the format is known.
  private var beginning: [UInt8] = []
  private var lines = 0
  private var understood = 0

  public init() {}

  /// Decodes octets and adds their fixes and headings.
  public mutating func decode(_ octets: some RandomAccessCollection<UInt8>, into track: inout GeotagTrack) throws(GeotagTrackError) {
    guard format == nil else { return try take(octets, into: &track) }
    beginning += octets
    guard beginning.contains(UInt8(ascii: "\n")) || beginning.count > Self.longestLine else { return }
    try decide(into: &track)
  }

  /// Ends the recording.
  public mutating func finish(into track: inout GeotagTrack) throws(GeotagTrackError) {
    if format == nil { try decide(into: &track) }
    switch format {
    case .records:
      for line in cutter.lines(in: [UInt8(ascii: "\n")]) { try take(line: line, into: &track) }
      guard understood > 0 else { throw .foreign(line: lines) }
    case .walk, nil:
      var reports: [WalkReport] = []
      do throws(WalkError) { try walk.finish(into: &reports) } catch { throw .walk(error) }
      add(reports, to: &track)
    }
  }

  private mutating func decide(into track: inout GeotagTrack) throws(GeotagTrackError) {
    let first = beginning.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }).first ?? []
    // Each object of gpsd begins with its class, gpsd_json(5).
    format = first.starts(with: Array("{".utf8)) && !first.starts(with: Array("{\"class\"".utf8)) ? .records : .walk
    let octets = beginning
    beginning = []
    try take(octets, into: &track)
  }

  private mutating func take(_ octets: some RandomAccessCollection<UInt8>, into track: inout GeotagTrack) throws(GeotagTrackError) {
    guard format == .walk else {
      for line in cutter.lines(in: octets) { try take(line: line, into: &track) }
      return
    }
    var reports: [WalkReport] = []
    do throws(WalkError) { try walk.decode(octets, into: &reports) } catch { throw .walk(error) }
    add(reports, to: &track)
  }

  private func add(_ reports: [WalkReport], to track: inout GeotagTrack) {
    for report in reports {
      switch report.report {
      case .reading(let reading): if let fix = GeotagTrack.Fix(reading, at: report.time) { track.add(fix) }
      case .heading(let heading): track.add(heading, at: report.time)
      case .searching: break
      }
    }
  }

  private mutating func take(line: [UInt8], into track: inout GeotagTrack) throws(GeotagTrackError) {
    lines += 1
    // A recording may end in the middle of a line. Its reader needs no more than that the line cannot be used.
    guard let record = try? Record(foreignJSON: String(decoding: line, as: UTF8.self)) else {
      guard understood > 0 || lines < Self.mostStrange else { throw .foreign(line: lines) }
      return
    }
    if let fix = GeotagTrack.Fix(LocationReport(record)) {
      track.add(fix)
      understood += 1
    }
    let heading = RecordedHeading(record)
    // The course of a vehicle says nothing about the direction of a camera.
    if heading.kind != "course", let time = heading.timestamp,
      let reading = HeadingReading(trueHeading: heading.trueHeading, magneticHeading: heading.magneticHeading)
    {
      track.add(reading, at: time)
      understood += 1
    }
  }
}

/// The keys of a line of `beaconmon heading --json` that a photo needs.
private struct RecordedHeading: RecordRepresentable {
  var timestamp: Instant?
  var kind: String?
  var trueHeading: Double?
  var magneticHeading: Double?

  static let fields: [RecordField<Self>] = [
    RecordField("timestamp", \.timestamp), RecordField("kind", \.kind), RecordField(direction: "trueHeading", \.trueHeading, decimals: 1),
    RecordField(direction: "magneticHeading", \.magneticHeading, decimals: 1),
  ]
}

extension GeotagTrack.Fix {
  /// Creates the fix of a reading; nil if a value is impossible.
  fileprivate init?(_ reading: LocationReading, at time: Instant) {
    // A refused fix is ignored, as in the daemon.
    guard let location = try? Location(reading, from: .capture, at: Receipt(recorded: time)) else { return nil }
    self.init(
      time: time, coordinate: location.coordinate, altitude: location.altitude, accuracy: location.horizontalAccuracy,
      floor: location.floor.map { "floor \($0)" })
  }

  /// Creates the fix of a location as clients receive it; nil without a time or a valid place.
  public init?(_ report: LocationReport) {
    guard let time = report.time, let latitude = report.latitude, let longitude = report.longitude, abs(longitude) <= 180,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    let level = report.levelName ?? report.floor.map { "floor \($0)" }
    let altitude = report.altitude.flatMap { Location.altitudes.contains($0) ? $0 : nil }
    let accuracy = report.horizontalAccuracy.flatMap { (0.001...20_000_000).contains($0) ? $0 : nil }
    self.init(
      time: time, coordinate: coordinate, altitude: altitude, accuracy: accuracy,
      floor: level.map { [$0, report.venueName].compactMap(\.self).joined(separator: ", ") })
  }
}

/// The reason why a file is not a recorded track.
public enum GeotagTrackError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No line up to this one is a location or a heading with a time.
  case foreign(line: Int)
  case walk(WalkError)

  public var description: String {
    switch self {
    case .foreign(let line):
      "line \(line): no line so far is a location or a heading with a time; record a track with \"beaconmon track --json > track.jsonl\""
    case .walk(let error): "\(error)"
    }
  }
}
