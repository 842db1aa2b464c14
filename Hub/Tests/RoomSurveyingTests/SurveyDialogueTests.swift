import RoomSurveying
import Rooms
import Testing

@Suite struct SurveyDialogueTests {
  private let store = FakeStore()
  private let installer: FakeInstaller

  init() { installer = FakeInstaller(store) }

  /// Runs the dialogue, and returns the lines. Each answer takes a second if it has no time.
  private func lines(_ answers: [String], walking times: [Int: Int64] = [:]) throws -> [String] {
    installer.answers = answers.enumerated().map { ($0.element, times[$0.offset] ?? 1) }
    try SurveyDialogue(SiteSurvey(of: "berlin", connect: { [store] in store }, installer, installer, by: "ada"), tag: FakeStore.tag).run()
    return installer.lines
  }

  @Test func `an installer walks through a room, and its survey is stored`() throws {
    let lines = try lines(["1", "2", "", "", ""], walking: [3: 90])
    #expect(
      Array(lines.prefix(5)) == [
        "1  hall  not surveyed", "2  shop  not surveyed", "Room (number), or Enter to end: ",
        "Rooms behind its doors (numbers), or Enter if unknown: ", "Enter hall with the tag. Enter begins: ",
      ])
    // Three answers came before, a second each.
    #expect(store.notes == ["berlin hall from 1003000 by ada"])
    #expect(store.surveys["hall"]?.seconds == 90 && store.surveys["hall"]?.doors == ["shop"])
    #expect(lines.contains("the walk in hall begins at 1970-01-01T00:16:43.000000Z"))
    #expect(lines.contains("the walk in hall ends at 1970-01-01T00:18:13.000000Z"))
    #expect(
      Array(lines.suffix(4)) == [
        "stored the survey of hall", "1  hall  surveyed 2026-11-20 09:00", "2  shop  not surveyed", "Room (number), or Enter to end: ",
      ])
  }

  @Test func `a short walk continues with a second part`() throws {
    let lines = try lines(["1", "", "", "", "", "", ""], walking: [3: 40, 5: 30])
    #expect(lines.contains("not yet sufficient: 20 s are missing") && lines.contains("Enter begins again: "))
    #expect(store.surveys["hall"]?.seconds == 67 && store.notes.count == 1)
  }

  @Test func `a walk that cannot become sufficient ends with its reason`() throws {
    store.isHeard = false
    let lines = try lines(["1", "", "", "", ""], walking: [3: 90])
    #expect(lines.contains("no device has heard the tag in \"hall\"; check the tag and its battery"))
    #expect(lines.last == "Room (number), or Enter to end: " && store.surveys.isEmpty)
  }

  @Test(arguments: ["0", "3", "x", "1 9"])
  func `another number than that of a room is asked for again`(answer: String) throws {
    #expect(try lines([answer, ""]).contains("write a number from 1 to 2"))
  }

  @Test(arguments: ["1", "1 2", "3", "x"])
  func `a door leads to another room`(answer: String) throws {
    #expect(try lines(["1", answer, ""]).contains("write other numbers from 1 to 2, such as \"2 3\""))
  }

  @Test func `a walk is not lost while the database is away`() throws {
    store.outages = 2
    store.placed?[0].device.room = "Anna's hall"
    let lines = try lines(["1", "2", "", "", "", "", ""], walking: [3: 90])
    #expect(lines.filter { $0 == "database: gone" }.count == 2 && lines.filter { $0 == "Enter tries again: " }.count == 2)
    #expect(
      lines.contains(
        "beaconmon-hub admin survey berlin --tag \(FakeStore.tag) --room 'Anna'\\''s hall' --door 'shop' "
          + "--from 1970-01-01T00:16:43.000000Z --to 1970-01-01T00:18:13.000000Z"))
  }

  @Test func `an installer who gives up gets the error of the database`() throws {
    store.outages = 2
    #expect(throws: FakeStore.Outage.self) { try lines(["1", "2", "", "", ""], walking: [3: 90]) }
  }

  @Test func `the end of the input ends the dialogue`() throws {
    for count in 0..<4 { _ = try lines(Array(["1", "2", "", ""].prefix(count))) }
    #expect(store.surveys.isEmpty)
  }
}
