import ArgumentParser
import Beacons
import FleetDatabase
import Glibc
import Instants
import Rooms

struct SurveyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "survey",
    abstract: "Teaches the hub the rooms of a site by a walk through each, so that beacons are in the right room more often.",
    discussion: """
      Carry a tag through each room for one to two minutes: along it in lanes, then across, into each corner. The command asks for the room and \
      its doors, and Enter begins and ends a walk. A survey counts from the time on at which each room with a device has one. Repeat it after \
      a device was moved, and for a room that got its first device. The tag must be one that the hub has stored at this site.

      With --room, --from and --to it takes a walk that is over, from the stored digests.

      Examples:
        beaconmon-hub admin survey berlin --tag 1/7
        beaconmon-hub admin survey berlin --tag 1/7 --room hall --door shop --from 2026-11-20T09:00:00Z --to 2026-11-20T09:02:00Z
        beaconmon-hub admin survey berlin --list
        beaconmon-hub admin survey berlin --forget --room hall
      """)

  @OptionGroup var database: DatabaseOptions
  @Option(help: ArgumentHelp("The tag as MAJOR/MINOR, or as UUID/MAJOR/MINOR.", valueName: "tag")) var tag: String?
  @Option(help: ArgumentHelp("The room of a walk that is over, or the room to forget.", valueName: "name")) var room: String?
  @Option(
    help: ArgumentHelp("A room behind a door of this room; repeat it for each. Without it, the doors are unknown.", valueName: "name"))
  var door: [String] = []
  @Option(help: ArgumentHelp("The beginning of the walk, such as 2026-11-20T09:00:00Z.", valueName: "time")) var from: String?
  @Option(help: ArgumentHelp("The end of the walk.", valueName: "time")) var to: String?
  @Flag(help: "List the rooms and their surveys.") var list = false
  @Flag(help: "Delete the survey of --room, or without it those of all rooms.") var forget = false
  @Argument(help: "The site, such as berlin.") var site: String

  func validate() throws {
    let isWalk = !list && !forget
    guard !(list && forget) else { throw ValidationError("--list and --forget exclude each other; use one") }
    guard isWalk == (tag != nil) else {
      throw ValidationError(isWalk ? "--tag is missing; write --tag MAJOR/MINOR" : "--tag is only for a walk; leave it out")
    }
    guard (from == nil) == (to == nil), from == nil || room != nil, isWalk || (from == nil && door.isEmpty) else {
      throw ValidationError("a walk that is over needs --room, --from and --to; without all of them the command asks")
    }
    guard !isWalk || from != nil || (room == nil && door.isEmpty) else {
      throw ValidationError(
        "--room and --door are for a walk that is over; add --from and --to, or leave them out and answer the questions")
    }
  }

  func run() throws {
    let surveys = try SurveyDatabase(try database.connect())
    guard let devices = try surveys.devices(of: site) else {
      throw ValidationError("there is no site \(site); enrol a device there first")
    }
    let survey = SiteSurvey(surveys: surveys, site: site, devices: devices)
    if forget {
      let rooms = try surveys.forget(room, at: site, by: Actor.present)
      guard !rooms.isEmpty else { throw ValidationError("\(site) has no survey\(room.map { " of \"\($0)\"" } ?? ""); --list prints them") }
      for room in rooms { print("forgot the survey of \(room)") }
      return
    }
    if list { return try survey.list() }
    guard !devices.isEmpty else {
      throw ValidationError("no device of \(site) has a room; run \"beaconmon-hub admin place\" for each first")
    }
    let tag = try beacon(surveys)
    guard let room, let from, let to else { return try SurveyDialogue(survey, tag: tag).run() }
    let (begin, end) = (try Self.time(from), try Self.time(to))
    try survey.check(room, doors: door)
    try survey.take(room, doors: door, of: tag, from: begin, to: end)
  }

  private static func time(_ text: String) throws -> Int64 {
    guard let time = Instant(rfc3339: text) else {
      throw ValidationError("\"\(text)\" is not a time; write one such as 2026-11-20T09:00:00Z")
    }
    return time.microseconds / 1000
  }

  /// Returns the tag of the option.
  private func beacon(_ surveys: SurveyDatabase) throws -> BeaconIdentity {
    let text = tag ?? ""
    if let identity = BeaconIdentity(text) { return identity }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = UInt16(parts[0]), let minor = UInt16(parts[1]) else {
      throw ValidationError("\"\(text)\" is not a tag; write MAJOR/MINOR, such as 1/7, or UUID/MAJOR/MINOR")
    }
    let tags = try surveys.tags(of: site, major: major, minor: minor)
    guard let found = tags.first else {
      throw ValidationError("no device of \(site) has heard a tag \(text); switch it on near a device, and check its numbers")
    }
    guard tags.count == 1 else {
      throw ValidationError("\(site) has \(tags.count) tags \(text); write one of \(tags.map { "\($0)" }.joined(separator: ", "))")
    }
    return found
  }
}

/// The surveys of one site, as commands of an installer.
struct SiteSurvey {
  let surveys: SurveyDatabase
  let site: String
  let devices: [SurveyDatabase.PlacedDevice]

  var rooms: [String] { Array(Set(devices.map(\.device.room))).sorted() }

  func check(_ room: String, doors: [String]) throws {
    for name in [room] + doors where !rooms.contains(name) {
      throw ValidationError(
        "no device of \(site) is in \"\(name)\"; the rooms are \(rooms.joined(separator: ", ")), and \"beaconmon-hub admin place\" adds one"
      )
    }
    if doors.contains(room) { throw ValidationError("a door of \"\(room)\" cannot lead to \"\(room)\"; name the room behind it") }
  }

  func list() throws {
    let stored = try surveys.surveys(of: site)
    for room in rooms {
      guard let entry = stored.first(where: { $0.room == room }) else {
        print("\(room)  not surveyed")
        continue
      }
      guard let survey = entry.survey else {
        print("\(room)  \(entry.time)  cannot be read: survey it again")
        continue
      }
      let moved = survey.hearing.filter { listener in
        devices.contains { $0.device.id == listener.device && $0.device.room != listener.room }
      }
      let new = devices.filter { device in !survey.listeners.contains { $0.device == device.device.id } }
      print(
        "\(room)  \(entry.time)  \(survey.seconds) s, \(survey.levelCount) levels of \(survey.hearing.count) devices; doors to "
          + (survey.doors.isEmpty ? "unknown rooms" : survey.doors.joined(separator: ", "))
          + (moved.isEmpty ? "" : "; \(moved.count) devices were moved since: survey it again")
          + (new.isEmpty ? "" : "; \(new.map(\.name).joined(separator: ", ")) did not tell then whether they heard the tag, and count less")
      )
    }
    for entry in stored where !rooms.contains(entry.room) { print("\(entry.room)  \(entry.time)  has no device now and does not count") }
    let missing = rooms.filter { room in !stored.contains { $0.room == room && $0.survey != nil } }
    let decides = RoomFilter(devices: devices.map(\.device), surveys: stored.compactMap(\.survey)).isSurveyed
    print(
      rooms.isEmpty
        ? "no device of \(site) has a room"
        : missing.isEmpty
          ? decides
            ? "all rooms are surveyed, so the surveys decide"
            : "too many devices were moved or removed, so learned levels decide; survey again"
          : "\(missing.count) of \(rooms.count) rooms are not surveyed, so learned levels decide")
  }

  /// Reads a walk, tells the installer what was heard, and stores it if it is sufficient. Throws if it is not.
  func take(_ room: String, doors: [String], of tag: BeaconIdentity, from begin: Int64, to end: Int64) throws {
    let now = try surveys.time()
    guard end > begin, end <= now, end - begin <= Int64(RoomSurvey.longest) * 1000 else {
      throw ValidationError(
        "a walk ends after it begins, within \(RoomSurvey.longest / 60) minutes, and not after the present time of the database; correct the times"
      )
    }
    let wait = end + SurveyDatabase.longestDelay - now
    if wait > 0 {
      print("waiting \((wait + 999) / 1000) s for late digests; stay in \(room)")
      fflush(nil)
      usleep(UInt32(clamping: wait) * 1000)
    }
    let seconds = Int((end - begin) / 1000)
    guard seconds > RoomSurvey.settlingTime else { throw SurveyShortage(seconds: RoomSurvey.shortest - seconds) }
    let survey = try surveys.read(room, doors: doors, of: tag, at: site, from: begin, seconds: seconds, devices: devices)
    guard let missing = survey.missingSeconds else {
      throw ValidationError(
        survey.listeners.isEmpty
          ? "no device of \(site) has sent a digest in this time; check the times, the devices, and how long digests are kept"
          : "no device has heard the tag in \"\(room)\"; check the tag and its battery")
    }
    print("\(room): \(survey.levelCount) levels of \(survey.hearing.count) devices in \(seconds) s")
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
      throw ValidationError("\(survey.levelCount) levels in \(seconds) s are too few; check the battery and the interval of the tag")
    }
    guard missing == 0 else { throw SurveyShortage(seconds: missing) }
    try surveys.store(survey, at: site, from: begin, by: Actor.present)
    print("stored the survey of \(room)")
  }
}

/// The error of a walk that is too short.
struct SurveyShortage: Error, CustomStringConvertible {
  var seconds: Int
  var description: String { "the walk is too short and was not stored; walk for \(seconds) s more" }
}
