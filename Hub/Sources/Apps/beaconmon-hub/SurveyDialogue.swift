import ArgumentParser
import Beacons
import FleetDatabase
import Glibc

/// The questions to an installer who walks through the rooms with a tag, one line each, for the terminal of a phone.
struct SurveyDialogue {
  private let survey: SiteSurvey
  private let tag: BeaconIdentity

  init(_ survey: SiteSurvey, tag: BeaconIdentity) {
    (self.survey, self.tag) = (survey, tag)
  }

  func run() throws {
    while true {
      let stored = try survey.surveys.surveys(of: survey.site)
      let rooms = survey.rooms
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
    let begin = try survey.surveys.time()
    while true {
      guard ask("Walk along the room in lanes, then across, into each corner. Enter ends, after a minute or two: ") != nil else { return }
      do {
        return try survey.take(room, doors: doors, of: tag, from: begin, to: try survey.surveys.time())
      } catch let shortage as SurveyShortage {
        print("not yet sufficient: walk on for \(shortage.seconds) s")
      } catch let error as ValidationError {
        return print(error.message)
      }
    }
  }

  /// Returns the rooms of these numbers; nil if one is none.
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
