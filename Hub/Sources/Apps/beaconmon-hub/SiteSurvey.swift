import ArgumentParser
import Beacons
import FleetDatabase
import Glibc
import Instants
import Rooms

/// A completed walk through one room.
struct Walk {
  var room: String
  var doors: [String]
  var tag: BeaconIdentity
  /// The parts of the walk in their order, in milliseconds since 1970 by the clock of the database.
  var parts: [ClosedRange<Int64>]

  /// The command that takes the walk from the stored digests.
  func command(at site: String) -> String {
    func quoted(_ text: String) -> String {
      "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
    let times = parts.flatMap { ["--from", Self.text($0.lowerBound), "--to", Self.text($0.upperBound)] }
    return (["beaconmon-hub admin survey \(site) --tag \(tag) --room", quoted(room)] + doors.flatMap { ["--door", quoted($0)] } + times)
      .joined(separator: " ")
  }

  /// Returns a time in milliseconds since 1970 as RFC 3339.
  static func text(_ time: Int64) -> String { Instant(microseconds: time * 1000).rfc3339 }
}

/// The surveys of one site, as commands of an installer.
struct SiteSurvey {
  let link: SurveyLink
  let site: String

  /// Returns the devices with a room, which other administrators may place meanwhile.
  func devices() throws -> [SurveyDatabase.PlacedDevice] {
    guard let devices = try link.run({ try $0.devices(of: site) }) else {
      throw ValidationError("there is no site \(site); enrol a device there first")
    }
    return devices
  }

  static func rooms(_ devices: [SurveyDatabase.PlacedDevice]) -> [String] { Array(Set(devices.map(\.device.room))).sorted() }

  func check(_ room: String, doors: [String], _ devices: [SurveyDatabase.PlacedDevice]) throws {
    let rooms = Self.rooms(devices)
    for name in [room] + doors where !rooms.contains(name) {
      throw ValidationError(
        "no device of \(site) is in \"\(name)\"; the rooms are \(rooms.joined(separator: ", ")), and \"beaconmon-hub admin place\" adds one"
      )
    }
    if doors.contains(room) { throw ValidationError("a door of \"\(room)\" cannot lead to \"\(room)\"; name the room behind it") }
  }

  func list() throws {
    let (devices, stored) = (try devices(), try link.run { try $0.rooms(of: site) })
    let rooms = Self.rooms(devices)
    var (missing, unfit) = (0, 0)
    for room in rooms {
      guard let entry = stored.first(where: { $0.room == room }) else {
        print("\(room)  not surveyed")
        missing += 1
        continue
      }
      // One survey at a time, because a large site has large surveys.
      do {
        guard let survey = try link.run({ try $0.survey(of: room, at: site) }) else { continue }
        if !survey.hasPlaces(for: devices.map(\.device)) { unfit += 1 }
        print("\(room)  \(entry.time)  \(Self.description(of: survey, devices))")
      } catch let error as RoomStateError {
        print("\(room)  \(entry.time)  \(error); survey it again")
        missing += 1
      }
    }
    for entry in stored where !rooms.contains(entry.room) { print("\(entry.room)  \(entry.time)  has no device now and does not count") }
    print(
      rooms.isEmpty
        ? "no device of \(site) has a room"
        : missing > 0
          ? "\(missing) of \(rooms.count) rooms are not surveyed, so learned levels decide"
          : unfit > 0
            ? "too many devices were moved or removed, so learned levels decide; survey again"
            : "all rooms are surveyed, so the surveys decide")
  }

  private static func description(of survey: RoomSurvey, _ devices: [SurveyDatabase.PlacedDevice]) -> String {
    let moved = survey.hearing.filter { listener in
      devices.contains { $0.device.id == listener.device && $0.device.room != listener.room }
    }
    let new = devices.filter { device in !survey.listeners.contains { $0.device == device.device.id } }
    return "\(survey.seconds) s, \(survey.levelCount) levels of \(survey.hearing.count) devices; doors to "
      + (survey.doors.isEmpty ? "unknown rooms" : survey.doors.joined(separator: ", "))
      + (moved.isEmpty ? "" : "; \(moved.count) devices were moved since: survey it again")
      + (new.isEmpty ? "" : "; \(new.map(\.name).joined(separator: ", ")) did not tell then whether they heard the tag, and count less")
  }

  /// Reads a walk, prints which devices heard the tag, and stores the survey.
  ///
  /// - Throws: an error if the walk is not sufficient.
  func take(_ walk: Walk) throws {
    guard let last = walk.parts.last else { return }
    let wait = last.upperBound + SurveyDatabase.longestDelay - (try link.run { try $0.time() })
    if wait > 0 {
      print("waiting \((wait + 999) / 1000) s for late digests")
      fflush(nil)
      usleep(UInt32(clamping: min(wait, SurveyDatabase.longestDelay) * 1000))
    }
    let devices = try devices()
    let seconds = WalkLevels(of: walk.tag, during: walk.parts, devices: []).seconds
    guard seconds <= RoomSurvey.longest else {
      throw ValidationError("a walk takes at most \(RoomSurvey.longest / 60) minutes; walk again, or correct the times")
    }
    guard seconds > RoomSurvey.settlingTime else { throw SurveyShortage(seconds: RoomSurvey.shortest - seconds) }
    let survey = try link.run { try $0.levels(of: walk.tag, at: site, during: walk.parts, devices: devices) }
      .survey(of: walk.room, doors: walk.doors)
    try judge(survey, devices)
    try link.run { try $0.store(survey, at: site, from: walk.parts[0].lowerBound, by: Actor.present) }
    print("stored the survey of \(walk.room)")
  }

  /// Prints the content of a survey.
  ///
  /// - Throws: an error if it is not sufficient.
  private func judge(_ survey: RoomSurvey, _ devices: [SurveyDatabase.PlacedDevice]) throws {
    let room = survey.room
    guard let missing = survey.missingSeconds else {
      throw ValidationError(
        survey.listeners.isEmpty
          ? "no device of \(site) has sent a digest in this time; check the times, the devices, and how long digests are kept"
          : "no device has heard the tag in \"\(room)\"; check the tag and its battery")
    }
    print("\(room): \(survey.levelCount) levels of \(survey.hearing.count) devices in \(survey.seconds) s")
    let own = devices.filter { $0.device.room == room }
    if !survey.hearing.contains(where: { listener in own.contains { $0.device.id == listener.device } }) {
      print("warning: no device in \(room) has heard the tag; was it this room?")
    }
    let silent = devices.filter { device in !survey.listeners.contains { $0.device == device.device.id } }
    if !silent.isEmpty {
      // A full digest may have left the tag out.
      print(
        "warning: these devices sent nothing, or digests full of louder beacons, and count less: "
          + "\(silent.map(\.name).joined(separator: ", "))")
    }
    guard !survey.isHeardTooRarely else {
      throw ValidationError("\(survey.levelCount) levels in \(survey.seconds) s are too few; check the battery and the interval of the tag")
    }
    guard missing == 0 else { throw SurveyShortage(seconds: missing) }
  }
}

/// The error of a walk that is too short.
struct SurveyShortage: Error, CustomStringConvertible {
  var seconds: Int
  var description: String { "the walk is too short and was not stored; walk for \(seconds) s more" }
}
