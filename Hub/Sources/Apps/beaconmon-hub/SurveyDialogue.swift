import ArgumentParser
import Beacons
import FleetDatabase
import Glibc
import PostgreSQL

/// The questions to an installer who walks through the rooms with a tag.
///
/// Each is one line, which fits the terminal of a phone.
struct SurveyDialogue {
  private let survey: SiteSurvey
  private let tag: BeaconIdentity

  init(_ survey: SiteSurvey, tag: BeaconIdentity) {
    (self.survey, self.tag) = (survey, tag)
  }

  func run() throws {
    while true {
      let stored = try survey.link.run { try $0.rooms(of: survey.site) }
      let rooms = SiteSurvey.rooms(try survey.devices())
      for (index, room) in rooms.enumerated() {
        print("\(index + 1)  \(room)  \(stored.first { $0.room == room }.map { "surveyed \($0.time)" } ?? "not surveyed")")
      }
      guard let answer = ask("Room (number), or Enter to end: "), !answer.isEmpty else { return }
      guard let room = Self.rooms(answer, of: rooms)?.first else {
        print("write a number from 1 to \(rooms.count)")
        continue
      }
      guard let doors = ask("Rooms behind its doors (numbers), or Enter if unknown: ").flatMap({ Self.rooms($0, of: rooms) }),
        !doors.contains(room)
      else {
        print("write other numbers from 1 to \(rooms.count), such as \"2 3\"")
        continue
      }
      try walk(room, doors: doors)
    }
  }

  private func walk(_ room: String, doors: [String]) throws {
    guard ask("Enter \(room) with the tag. Enter begins: ") != nil else { return }
    // The end of the walk must be known even if the link to the database breaks meanwhile.
    let clock = WalkClock(present: try survey.link.run { try $0.time() })
    var walk = Walk(room: room, doors: doors, tag: tag, parts: [])
    while true {
      let begin = clock.now
      print("the walk in \(room) begins at \(Walk.text(begin))")
      guard ask("Walk along the room in lanes, then across, into each corner. Enter ends, after a minute or two: ") != nil else { return }
      let end = max(begin, clock.now)
      walk.parts.append(begin...end)
      print("the walk in \(room) ends at \(Walk.text(end))")
      do {
        return try keep(walk)
      } catch let shortage as SurveyShortage {
        print("not yet sufficient: \(shortage.seconds) s are missing")
        guard ask("Enter begins again: ") != nil else { return }
      } catch let error as ValidationError {
        return print(error.message)
      }
    }
  }

  /// Takes a walk, and repeats the attempt when the database can be reached again.
  private func keep(_ walk: Walk) throws {
    while true {
      do {
        return try survey.take(walk)
      } catch  where error is PostgreSQLError || error is SchemaError {
        print("\(error)")
        print("the walk is not lost while its digests are kept, a day if nothing else is set; this command takes it:")
        print(walk.command(at: survey.site))
        guard ask("Enter tries again: ") != nil else { throw error }
      }
    }
  }

  /// Returns the rooms of these numbers; nil if one of them is not a room.
  private static func rooms(_ answer: String, of rooms: [String]) -> [String]? {
    let numbers = answer.split { $0 == " " || $0 == "," }.map { Int($0) }
    guard numbers.allSatisfy({ $0.map { (1...rooms.count).contains($0) } ?? false }) else { return nil }
    return numbers.compactMap { $0.map { rooms[$0 - 1] } }
  }

  /// Returns the answer; nil at the end of the input.
  private func ask(_ question: String) -> String? {
    print(question, terminator: "")
    fflush(nil)
    return readLine(strippingNewline: true)
  }
}

/// The clock of the database, which continues while the database cannot be reached.
private struct WalkClock {
  private let offset: Int64

  /// - Parameter present: The time of the database in milliseconds since 1970.
  init(present: Int64) { offset = present - Self.uptime }

  var now: Int64 { Self.uptime + offset }

  /// The milliseconds since the start of the machine, including sleep.
  private static var uptime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
