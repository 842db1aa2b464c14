import Foundation
import TestSupport
import Testing

/// `beaconmon events` and `beaconmon explain` beside a running daemon.
@Suite struct EventsCommandTests {
  /// Returns a daemon that has played the walk with its 37 events.
  private func afterTheWalk() throws -> (stage: Stage, daemon: RunningProgram) {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk)
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    return (stage, daemon)
  }

  @Test func `events prints the same as replay, also for a part`() throws {
    let (stage, daemon) = try afterTheWalk()
    let expected = try CommandLine(["replay", Stage.walk, "--config", Stage.walkConfig, "--json", "--drain"]).output
    let all = try CommandLine(["events", "--json", "--bus", stage.bus.address])
    #expect(all.status == 0)
    #expect(try all.output.map { try $0.withoutJournal } == expected)
    let some = try CommandLine(
      ["events", "--json", "--region", "exhibit 2, impatient", "--since", "2020-02-09T12:45:00Z", "--bus", stage.bus.address])
    let wanted = try expected.filter { line in
      let event = try JSON(parsing: line)
      return event["region"] == "exhibit 2, impatient" && (event["time"]?.text ?? "") >= "2020-02-09T12:45:00Z"
    }
    #expect(try some.output.map { try $0.withoutJournal } == wanted && !wanted.isEmpty)
    #expect(try CommandLine(["events", "--since", "1h", "--bus", stage.bus.address]).output == [])
    daemon.signal(SIGTERM)
  }

  @Test func `events --daily has the visits of the events, with the time between enter and exit`() throws {
    let (stage, daemon) = try afterTheWalk()
    func lines(_ options: String...) throws -> CommandLine { try CommandLine(["events"] + options + ["--bus", stage.bus.address]) }
    let events = try lines("--json").output.map { try JSON(parsing: $0) }
    let days = try lines("--daily", "--json").output.map { try JSON(parsing: $0) }
    // A region whose enters are muted has visits as well.
    let begins = Dictionary(
      grouping: events.filter { $0["event"] == "enter" || $0["event"] == "state" && $0["state"] == "inside" }
    ) { $0["region"]?.text ?? "" }
    let ends = Dictionary(
      grouping: events.filter {
        $0["event"] == "exit" || $0["event"] == "state" && $0["state"] == "outside" && begins[$0["region"]?.text ?? ""] != nil
      }
    ) { $0["region"]?.text ?? "" }
    #expect(!begins.isEmpty && Set(days.compactMap { $0["region"]?.text }) == Set(begins.keys))
    for day in days {
      let region = day["region"]?.text ?? ""
      #expect(day["day"] == "2020-02-09" && day["visits"]?.number == begins[region].map { Double($0.count) }, "\(region)")
      let hours = try #require(day["visitsByHour"]?.object).values.compactMap(\.number).reduce(0, +)
      #expect(hours == day["visits"]?.number)
      #expect(day["ended"]?.number ?? 0 <= Double(ends[region]?.count ?? 0))
      #expect((day["timeInside"]?.number ?? 0 > 0) == (day["ended"]?.number ?? 0 > 0))
    }
    let table = try lines("--daily", "--region", "exhibit 2, impatient")
    #expect(table.output.count == 2 && table.output[0].hasPrefix("day") && table.output[1].hasPrefix("2020-02-09  exhibit 2, impatient"))
    #expect(try lines("--daily", "--csv").output.count == days.count + 1)
    #expect(
      try lines("--daily", "--since", "2020-02-10").output == [
        "no visits have been counted since then; the daemon counts them within a minute"
      ])
    let missing = try lines("--daily", "--region", "no such")
    #expect(missing.status == 65 && missing.output == [] && missing.errors.joined().contains("no visits of a region \"no such\""))
    for wrong in ["--follow", "--utc"] { #expect(try lines("--daily", wrong).status == 64) }
    daemon.signal(SIGTERM)
  }

  @Test func `another program reads the CSV of events`() throws {
    let (stage, daemon) = try afterTheWalk()
    let table = try CommandLine(["events", "--csv", "--bus", stage.bus.address]).output.joined(separator: "\n")
    let read = try RunningProgram.result(
      Programs.python,
      [
        "-c",
        "import csv, sys; rows = list(csv.DictReader(sys.stdin)); print(len(rows), rows[1]['event'], rows[1]['region'], rows[1]['cause'], rows[-1]['sequence'])",
      ],
      input: table)
    let expected = try CommandLine(["replay", Stage.walk, "--config", Stage.walkConfig, "--json", "--drain"]).output.map {
      try JSON(parsing: $0)
    }
    #expect(
      read
        == "\(expected.count) \(expected[1]["event"]?.text ?? "") \(expected[1]["region"]?.text ?? "") \(expected[1]["reason"]?["cause"]?.text ?? "") \(expected.count)"
    )
    daemon.signal(SIGTERM)
  }

  /// Prints the JSON values that differ from their columns in the table, and the number of values at the end.
  private static let comparison = """
    import csv, json, sys
    table, lines = sys.stdin.read().split('\\0')
    count = 0
    def compare(row, event):
        global count
        for key, value in event.items():
            if isinstance(value, dict):
                compare(row, value)
            elif (row.get(key) != (str(value).lower() if isinstance(value, bool) else value)):
                print(key, row.get(key), value)
            else:
                count += 1
    for row, line in zip(csv.DictReader(table.splitlines()), lines.splitlines(), strict=True):
        compare(row, json.loads(line, parse_int=str, parse_float=str))
    print(count)
    """

  /// Returns the output of `comparison` for the journal's events.
  private func tableAgainstJSON(_ stage: Stage) throws -> [String] {
    let outputs = try ["--csv", "--json"].map {
      try CommandLine(["events", $0, "--bus", stage.bus.address]).output.joined(separator: "\n")
    }
    return try RunningProgram.result(Programs.python, ["-c", Self.comparison], input: outputs.joined(separator: "\0"))
      .split(separator: "\n").map(String.init)
  }

  @Test func `the CSV has every value of every beacon event`() throws {
    let (stage, daemon) = try afterTheWalk()
    let lines = try tableAgainstJSON(stage)
    #expect(lines.count == 1 && Int(lines[0]) ?? 0 > 37 * 15, "\(lines)")
    daemon.signal(SIGTERM)
  }

  @Test func `the CSV has every value of every circle event`() throws {
    let scene = try CircleScene(CircleScene.circle("square", 52.52, 13.405, radius: 200))
    try scene.stand(52.53, 13.405)
    try scene.stand(52.5201, 13.405, knots: 2)
    try scene.pass(21)
    #expect(scene.told == ["state outside fix", "enter inside approach"])
    let lines = try tableAgainstJSON(scene.stage)
    #expect(lines.count == 1 && Int(lines[0]) ?? 0 > 2 * 15, "\(lines)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `events --follow prints past and new events once each, over a restart of the daemon`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let config = try stage.file(
      "config.toml",
      "[journal]\npath = \"\(stage.folder.file("journal.db"))\"\n[[region]]\nidentifier = \"hall\"\nuuid = \"\(CaptureOctets.uuid)\"\n")
    let feed = try CaptureFeed(stage)
    let daemon = try stage.daemon(config: config, source: feed.path)
    try feed.hear(at: 0)
    _ = try listener.next("the enter") { $0.name == "RegionEvent" }
    let follower = try RunningProgram(Programs.commandLine, ["events", "--follow", "--json", "--bus", stage.bus.address])
    func number() throws -> Double? { try JSON(parsing: follower.output.next("an event"))["sequence"]?.number }
    #expect(try number() == 1)
    try feed.hear(at: 100)
    #expect(try [number(), number()] == [2, 3])
    daemon.signal(SIGKILL)
    _ = try daemon.exitStatus()
    let second = try CaptureFeed(stage, named: "second")
    let next = try stage.daemon(config: config, source: second.path)
    try second.hear(at: 110)
    try second.hear(at: 500)
    #expect(try [number(), number(), number()] == [4, 5, 6])
    follower.signal(SIGINT)
    #expect(try follower.exitStatus() == 0)
    next.signal(SIGTERM)
  }

  @Test func `explain prints the reasons of an event, or that the event does not exist`() throws {
    let (stage, daemon) = try afterTheWalk()
    let explanation = try CommandLine(["explain", "5", "--bus", stage.bus.address])
    #expect(explanation.status == 0)
    #expect(
      explanation.output.prefix(4) == [
        "Event 5: \"exhibit 2, impatient\" was left at 2020-02-09 12:44:50.338Z, because none of its beacons was heard for its exit delay of 1s.",
        "Beacon 1/2 of 8ec76ea3-6668-48da-9866-75be8bc86f4d was last heard 1.0 s before, at 2020-02-09 12:44:49.338Z, by capture, "
          + "with -72.5 dBm over 10 sightings: 4.8 m ± 3.4 away, far.",
        "It had been inside for 5.1 s, since event 4.",
        "0.8 s later, it became inside (event 6): the visitor may not have left, and an exit-delay of more than 2 s would have prevented both events.",
      ])
    #expect(explanation.output.contains { $0.hasPrefix(">     5  2020-02-09 12:44:50.338Z  exit   exhibit 2, impatient") })
    let missing = try CommandLine(["explain", "4711", "--bus", stage.bus.address])
    #expect(missing.status == 65)
    #expect(missing.errors == ["beaconmon: the journal has no event 4711; `beaconmon events --json` lists its events"])
    daemon.signal(SIGTERM)
  }

  @Test func `a region that the journal lacks is named, and the events of the others are printed`() throws {
    let (stage, daemon) = try afterTheWalk()
    let result = try CommandLine([
      "events", "--region", "gallery", "--region", "galery", "--since", "2020-01-01T00:00:00Z", "--bus", stage.bus.address,
    ])
    #expect(result.status == 65)
    #expect(result.errors == ["beaconmon: the journal has no region \"galery\"; `beaconmon status` lists the configured regions"])
    #expect(!result.output.isEmpty && result.output.allSatisfy { $0.contains("gallery") })
    // A known region without recent events is not an error.
    let quiet = try CommandLine(["events", "--region", "gallery", "--since", "1h", "--bus", stage.bus.address])
    #expect(quiet.status == 0 && quiet.errors == [] && quiet.output == [])
    let follower = try RunningProgram(Programs.commandLine, ["events", "--region", "galery", "--follow", "--bus", stage.bus.address])
    _ = try follower.log.next("the note") { $0.hasSuffix("waiting for its first event") }
    follower.signal(SIGINT)
    #expect(try follower.exitStatus() == 0)
    daemon.signal(SIGTERM)
  }

  @Test func `an invalid time is named`() throws {
    let result = try CommandLine(["events", "--since", "soon"])
    #expect(result.status == 64)
    #expect(result.errors.first?.contains("\"soon\" is not a time; write an age, such as 2h or 7d, a day, such as today") == true)
  }
}
