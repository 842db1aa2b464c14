import ArgumentParser
import DBus
import EventLoop
import Failures
import Geotagging
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
    guard TimeZoneFile.exists(text) else {
      throw ValidationError(
        "\"\(text)\" is not a time zone; write an offset such as +02:00, local, or a name such as Europe/Berlin from the package tzdata")
    }
    TimeZoneFile.select(text)
    return .environment
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

/// The fixes of the events in the daemon's journal.
enum JournalTrack {
  static func read(_ bus: BusOptions) throws(Failure) -> GeotagTrack {
    let link = try CommandLink(bus.address)
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
