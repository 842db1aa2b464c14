public import Beacons
import Instants
import Rooms

/// The questions to an installer who walks through the rooms with a tag.
///
/// Each is one line, which fits the terminal of a phone.
public struct SurveyDialogue {
  private let survey: SiteSurvey
  private let tag: BeaconIdentity

  public init(_ survey: SiteSurvey, tag: BeaconIdentity) { (self.survey, self.tag) = (survey, tag) }

  /// Asks until the installer ends the dialogue.
  ///
  /// - Throws: `SurveyRefusal`, or an error of the store if the installer gives up.
  public func run() throws {
    while true {
      let stored = try survey.link.run { try $0.rooms(of: survey.site) }
      let rooms = try survey.devices().rooms
      for (index, room) in rooms.enumerated() {
        show("\(index + 1)  \(room)  \(stored.first { $0.room == room }.map { "surveyed \($0.time)" } ?? "not surveyed")")
      }
      guard let answer = ask("Room (number), or Enter to end: "), !answer.isEmpty else { return }
      guard let room = Self.rooms(answer, of: rooms)?.first else {
        show("write a number from 1 to \(rooms.count)")
        continue
      }
      guard let doors = ask("Rooms behind its doors (numbers), or Enter if unknown: ").flatMap({ Self.rooms($0, of: rooms) }),
        !doors.contains(room)
      else {
        show("write other numbers from 1 to \(rooms.count), such as \"2 3\"")
        continue
      }
      try walk(room, doors: doors)
    }
  }

  private func walk(_ room: String, doors: [String]) throws {
    guard ask("Enter \(room) with the tag. Enter begins: ") != nil else { return }
    // The end of the walk must be known even if the link to the database breaks meanwhile.
    let present = try survey.link.run { try $0.time() }
    let start = survey.clock.uptime
    func time() -> Int64 { present + (survey.clock.uptime - start).microseconds / 1000 }
    var walk = Walk(room: room, doors: doors, tag: tag)
    while true {
      let begin = time()
      show("the walk in \(room) begins at \(Walk.text(begin))")
      guard ask("Walk along the room in lanes, then across, into each corner. Enter ends, after a minute or two: ") != nil else { return }
      let end = max(begin, time())
      walk.parts.append(begin...end)
      show("the walk in \(room) ends at \(Walk.text(end))")
      do {
        return try keep(walk)
      } catch let refusal as SurveyRefusal {
        guard let missing = refusal.missingSeconds else { return show("\(refusal)") }
        show("not yet sufficient: \(missing) s are missing")
        guard ask("Enter begins again: ") != nil else { return }
      }
    }
  }

  /// Takes a walk, and repeats the attempt when the database can be reached again.
  private func keep(_ walk: Walk) throws {
    while true {
      do {
        return try survey.take(walk)
      } catch let refusal as SurveyRefusal {
        throw refusal
      } catch {
        show("\(error)")
        show("the walk is not lost while its digests are kept, a day if nothing else is set; this command takes it:")
        show(walk.command(at: survey.site))
        guard ask("Enter tries again: ") != nil else { throw error }
      }
    }
  }

  /// Returns the rooms of these numbers; nil if one of them is not a room.
  private static func rooms(_ answer: String, of rooms: [String]) -> [String]? {
    let numbers = answer.split { $0 == " " || $0 == "," }.map { Int($0) }
    guard numbers.allSatisfy({ $0.map { rooms.indices.contains($0 - 1) } ?? false }) else { return nil }
    return numbers.compactMap { $0.map { rooms[$0 - 1] } }
  }

  private func show(_ line: String) { survey.terminal.show(line) }

  private func ask(_ question: String) -> String? { survey.terminal.ask(question) }
}
