import ArgumentParser
import Captures
import DBus
import EventLoop
import Events
import Failures
import Geodesy
import Geotagging
import Glibc
import Instants
import MonitorClient
import Photos
import Terminal

/// The zone of a camera's clock as an argument.
enum CameraZone: Hashable {
  case offset(Span)
  /// The zone of the environment, which may be one that the argument names.
  case environment

  static func parse(_ text: String) throws -> CameraZone {
    if text == "local" { return .environment }
    if text.uppercased() == "UTC" { return .offset(.zero) }
    if let offset = PhotoTime.offset(text) { return .offset(offset) }
    // The C library takes an unknown zone for UTC.
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    guard !text.isEmpty, !text.hasPrefix("/"), !text.split(separator: "/").contains(".."), isZone("\(folder)/\(text)") else {
      throw ValidationError(
        "\"\(text)\" is not a time zone; write an offset such as +02:00, local, or a name such as Europe/Berlin from the package tzdata")
    }
    setenv("TZ", ":\(text)", 1)
    tzset()
    return .environment
  }

  /// Whether a file begins as RFC 9636 says. The folder of the zones also has tables in text.
  private static func isZone(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start: [UInt8] = [0, 0, 0, 0]
    return read(descriptor, &start, 4) == 4 && start == Array("TZif".utf8)
  }

  /// Returns the instant at which the camera's clock shows this time.
  /// If the clock was set back, it is the first of two.
  func instant(shownAs shown: Instant) -> Instant {
    switch self {
    case .offset(let offset): shown - offset
    case .environment: TimeArgument.onCalendar(shown).instant(now: shown, in: .local)
    }
  }
}

/// The identity of a file, which all of its names share.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// Returns nil if there is no file at the path.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

/// A file with a recorded track.
enum TrackFile {
  private static let chunk = 1 << 16

  /// Adds all fixes and headings of a file; "-" is standard input.
  static func read(_ path: String, into track: inout GeotagTrack) throws(Failure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    defer { buffer.deallocate() }
    var decoder = GeotagTrackDecoder()
    var file = try open(path)
    let name = file.name
    while case let count = try next(&file, buffer), count > 0 {
      try decode(name) { () throws(GeotagTrackError) in
        try decoder.decode(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &track)
      }
    }
    try decode(name) { () throws(GeotagTrackError) in try decoder.finish(into: &track) }
  }

  private static func open(_ path: String) throws(Failure) -> CaptureFile {
    do throws(CaptureFileError) { return try CaptureFile(path: path) } catch { throw Failure(error) }
  }

  private static func next(_ file: inout CaptureFile, _ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    do throws(CaptureFileError) { return try file.read(into: buffer) } catch { throw Failure(error) }
  }

  private static func decode(_ name: String, _ body: () throws(GeotagTrackError) -> Void) throws(Failure) {
    do throws(GeotagTrackError) { try body() } catch { throw Failure(.dataError, "\(name): \(error)") }
  }
}

/// The fixes of the events in the daemon's journal.
enum JournalTrack {
  static func read(_ bus: BusOptions) throws(Failure) -> GeotagTrack {
    let link = try DaemonLink(bus.address)
    var track = GeotagTrack()
    link.onPresenceChange = { if !$0 { link.end(Failure(.unavailable, "beaconmond has stopped; start it again")) } }
    var follower: EventFollower?
    try link.run { client in
      let started = client.followEvents(orFrom: .beginning) { events in
        for event in events { if let fix = GeotagTrack.Fix(event) { track.add(fix) } }
      }
      started.onCaughtUp = { link.end() }
      started.onTrouble = { link.end(Failure(.unavailable, $0.message)) }
      follower = started
    }
    withExtendedLifetime(follower) {}
    guard track.fixCount > 0 else {
      throw Failure(
        .dataError,
        "no event in the journal has a location, as those of circles have; record a track with \"beaconmon track --json > track.jsonl\", and add "
          + "--track track.jsonl")
    }
    return track
  }
}

extension GeotagTrack.Fix {
  /// Creates the fix of an event; nil for an event without a location, and while the clock of the device was wrong.
  fileprivate init?(_ event: Event) {
    guard event.isClockSynchronised != false, event.isTest != true, let location = event.location, let time = event.reason.fixTime,
      abs(location.longitude) <= 180, let coordinate = Coordinate(latitude: location.latitude, longitude: location.longitude)
    else { return nil }
    self.init(time: time, coordinate: coordinate, accuracy: location.horizontalAccuracy)
  }
}

extension Failure {
  init(_ error: PhotoError) {
    switch error.kind {
    case .unavailable: self.init(.unavailable, "\(error)")
    case .unreadable: self.init(.noInput, "\(error)")
    case .invalid: self.init(.dataError, "\(error)")
    case .unwritable: self.init(.ioError, "\(error)")
    }
  }
}
