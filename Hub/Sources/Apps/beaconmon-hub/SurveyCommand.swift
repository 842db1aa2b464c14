import ArgumentParser
import EventLoop
import FleetDatabase
import Glibc
import Instants
import RoomSurveying
import Rooms

struct SurveyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "survey",
    abstract: "Teach the hub the rooms of a site by a walk through each, so that beacons are in the right room more often.",
    discussion: """
      Carry a tag through each room for one to two minutes: along it in lanes, then across, into each corner. The command asks for the \
      room and its doors, and Enter begins and ends a walk. The hub uses the surveys only while each room with a device has one. Repeat a \
      survey after a device was moved, and for a room that got its first device. The tag must be one that the hub has stored at this site.

      With --room, --from and --to it takes a completed walk from the stored digests. The command prints when each walk begins and ends. \
      Repeat both options for a walk that continued after a pause.

      Examples:
        beaconmon-hub admin survey berlin --tag 1/7
        beaconmon-hub admin survey berlin --tag 1/7 --room hall --door shop --from 2026-11-20T09:00:00Z --to 2026-11-20T09:02:00Z
        beaconmon-hub admin survey berlin --list
        beaconmon-hub admin survey berlin --forget --room hall
      """)

  @OptionGroup var database: DatabaseOptions
  @Option(help: ArgumentHelp("The tag as MAJOR/MINOR, or as UUID/MAJOR/MINOR.", valueName: "tag")) var tag: String?
  @Option(help: ArgumentHelp("The room of a completed walk, or the room to forget.", valueName: "name")) var room: String?
  @Option(
    help: ArgumentHelp("A room behind a door of this room; repeat it for each. Without it, the doors are unknown.", valueName: "name"))
  var door: [String] = []
  @Option(help: ArgumentHelp("The beginning of the walk, such as 2026-11-20T09:00:00Z.", valueName: "time")) var from: [String] = []
  @Option(help: ArgumentHelp("The end of the walk.", valueName: "time")) var to: [String] = []
  @Flag(help: "List the rooms and their surveys.") var list = false
  @Flag(help: "Delete the survey of --room, or without it those of all rooms.") var forget = false
  @Argument(help: "The site, such as berlin.") var site: String

  func validate() throws {
    let isWalk = !list && !forget
    guard !(list && forget) else { throw ValidationError("--list and --forget exclude each other; use one") }
    guard isWalk == (tag != nil) else {
      throw ValidationError(isWalk ? "--tag is missing; write --tag MAJOR/MINOR" : "--tag is only for a walk; leave it out")
    }
    guard from.count == to.count, from.isEmpty || room != nil, isWalk || (from.isEmpty && door.isEmpty) else {
      throw ValidationError("a completed walk needs --room, --from and --to; without all of them the command asks")
    }
    guard !isWalk || !from.isEmpty || (room == nil && door.isEmpty) else {
      throw ValidationError(
        "--room and --door are for a completed walk; add --from and --to, or leave them out and answer the questions")
    }
  }

  func run() throws {
    let survey = SiteSurvey(
      of: site, connect: { try SurveyDatabase(try database.connect()) }, InstallerTerminal(), InstallerTerminal(), by: Actor.present)
    do {
      if forget { return try survey.forget(room) }
      if list { return try survey.list() }
      let tag = try survey.tag(tag ?? "")
      guard let room, !from.isEmpty else { return try SurveyDialogue(survey, tag: tag).run() }
      let parts = zip(try from.map(Self.time), try to.map(Self.time)).map { (begin: $0, end: $1) }
      try survey.take(Walk(room: room, doors: door, tag: tag), parts: parts)
    } catch let refusal as SurveyRefusal where refusal.missingSeconds == nil {
      throw ValidationError("\(refusal)")
    }
  }

  private static func time(_ text: String) throws -> Int64 {
    guard let time = Instant(rfc3339: text) else {
      throw ValidationError("\"\(text)\" is not a time; write one such as 2026-11-20T09:00:00Z")
    }
    return time.microseconds / 1000
  }
}

/// The terminal and the clock of this machine.
private struct InstallerTerminal: SurveyTerminal, SurveyClock {
  func show(_ line: String) {
    print(line)
    fflush(nil)
  }

  func ask(_ question: String) -> String? {
    print(question, terminator: "")
    fflush(nil)
    return readLine(strippingNewline: true)
  }

  var uptime: Span { BootClock.uptime }

  func pause(_ time: Span) { MachineClock.pause(time) }
}
