import Foundation
import TestSupport
import Testing

/// `beaconmon guide` beside a daemon.
@Suite struct GuideCommandTests {
  private func scene() throws -> SessionScene {
    try SessionScene(config: GuidedVenue.config + Stage.hall, files: ["hall.toml": GuidedVenue.text()])
  }

  private func arguments(_ scene: SessionScene, _ words: [String]) -> [String] {
    ["guide"] + words + ["--bus", scene.stage.bus.address]
  }

  @Test func `in a pipe each change is one line of JSON`() throws {
    let scene = try scene()
    let run = try RunningProgram(Programs.commandLine, arguments(scene, ["Uhr", "--language", "de"]))
    var events: [String: JSON] = [:]
    while events.count < 3 {
      let line = try JSON(parsing: try run.output.next(within: 20))
      if let event = line["event"]?.text { events[event] = line }
    }
    #expect(events["route"]?["reason"] == "start" && events["guidance"]?["title"] == "Uhr")
    #expect(events["instruction"]?["language"] == "de" && events["instruction"]?["kind"] == "start")
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 0)
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [60, 132] as [UInt16])
  func `a terminal shows the destination, the next step and the progress`(columns: UInt16) throws {
    let scene = try scene()
    let run = try TerminalProgram(arguments(scene, ["shop", "--language", "en"]), columns: columns)
    try run.waitForText("Shop")
    try run.waitForText("First floor")
    try run.waitForText("0 %")
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 0)
    try run.waitForText("\u{1B}[?25h")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a bad destination is a failure with a reason`() throws {
    let scene = try scene()
    func run(_ words: String...) throws -> CommandLine { try CommandLine(arguments(scene, words)) }
    let unknown = try run("clok")
    #expect(unknown.status == 64 && unknown.errors.joined().contains("did you mean \"Clock\"?"), "\(unknown.errors)")
    let outside = try run("moon")
    #expect(outside.status == 65 && outside.errors.joined().contains("the destination is outside"), "\(outside.errors)")
    let island = try run("store")
    #expect(island.status == 65 && island.errors.joined().contains("no way leads from level \"ground\""), "\(island.errors)")
    let south = try run("-33.8688", "951.2093", "--language", "en")
    #expect(
      south.status == 64 && south.errors.joined().contains("\"-33.8688\" and \"951.2093\" are not a latitude from -90 to 90"),
      "\(south.errors)")
    let missing = try run()
    #expect(missing.status == 64 && missing.errors.joined().contains("the destination is missing"), "\(missing.errors)")
    let doubtful = try run("48.137,11.575")
    #expect(
      doubtful.status == 64 && doubtful.errors.joined(separator: " ").contains("or latitude and longitude as two arguments"),
      "\(doubtful.errors)")
    let words = try run("the", "clock")
    #expect(words.status == 64 && words.errors.joined().contains("quote a title with spaces"), "\(words.errors)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `instructions are spoken one after the other without a shell, and a missing program is named`() throws {
    let scene = try scene()
    let programs = try TemporaryDirectory()
    let run = try RunningProgram(
      Programs.commandLine, arguments(scene, ["clock", "--speak", "--language", "en"]), environment: ["PATH": programs.path])
    #expect(try run.exitStatus() == 69)
    #expect(try run.log.next("the reason") { _ in true }.contains("neither is installed"))

    let spoken = programs.file("spoken")
    let script = "#!/bin/sh\nprintf '%s|' \"$@\" >> '\(spoken)'\n"
    try programs.program("spd-say", script)
    let speaking = try RunningProgram(
      Programs.commandLine, arguments(scene, ["clock", "--speak", "--language", "en"]),
      environment: ["PATH": "\(programs.path):/usr/bin:/bin"])
    try wait(for: "the sentence") { (try? String(contentsOfFile: spoken, encoding: .utf8))?.contains("--|") == true }
    let words = try String(contentsOfFile: spoken, encoding: .utf8)
    #expect(words.hasPrefix("--wait|--language|en|--|") && words.contains("ove forward"), "\(words)")
    speaking.signal(SIGINT)
    #expect(try speaking.exitStatus() == 0)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a visitor who walks from the reception to the library on the next level is led there`() throws {
    let stage = try Stage()
    let venue = try String(contentsOfFile: Programs.repository("Docs/examples/scenarios/three-floors.venue.toml"), encoding: .utf8)
    _ = try stage.file("three-floors.venue.toml", venue)
    let scenario = try stage.file(
      "walk.toml",
      """
      name = "to the library"
      duration = "2m"
      venue = "three-floors.venue.toml"
      [venue-beacons]
      interval = "450ms"
      loss = 0.1
      [radio]
      path-loss-exponent = 2.2
      shadowing = 4
      floor-attenuation = 17
      beacon-spread = 3
      [ranging]
      path-loss-exponent = 2.2
      [[visitor]]
      name = "guest"
      speed = 1.1
      path = [
        { place = [10, 18], wait = "15s" },
        { place = [30, 30], level = "first", wait = "60s" },
      ]
      [[receiver]]
      carried-by = "guest"
      loss = 0.1
      """)
    let capture = stage.folder.file("walk.btsnoop")
    _ = try RunningProgram.result(Programs.commandLine, ["simulate", scenario, "--seed", "4", "--output", capture])
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: capture)))
    let headerLength = 16
    let feed = try CaptureFeed(stage, header: Array(octets.prefix(headerLength)))
    let client = try stage.listener()
    let config = try stage.file("config.toml", "venues = [\"three-floors.venue.toml\"]\n[ranging]\npath-loss-exponent = 2.2\n")
    // Faster, the locator takes the visitor for a vehicle that no building has: its clock is that of the machine.
    let daemon = try stage.daemon(config: config, source: feed.path, speed: "1")
    try client.waitForDaemon()
    let run = try RunningProgram(
      Programs.commandLine, ["guide", "library", "--language", "en", "--bus", stage.bus.address])
    #expect(try JSON(parsing: try run.output.next(within: 20))["state"] == "searching")
    // In parts, as the daemon reads them.
    var rest = octets.dropFirst(headerLength)
    while !rest.isEmpty {
      try feed.write(Array(rest.prefix(4096)))
      rest = rest.dropFirst(4096)
    }
    var lines: [JSON] = []
    while lines.last?["event"] != "ended" { lines.append(try JSON(parsing: try run.output.next(within: 60))) }
    #expect(lines.last?["reason"] == "arrived", "\(lines.suffix(3))")
    #expect(try run.exitStatus() == 0)
    let sentences = lines.filter { $0["event"] == "instruction" }.compactMap { $0["text"]?.text }
    #expect(sentences.contains { $0.contains("up to First floor") }, "\(sentences)")
    #expect(sentences.last?.contains("Library") == true, "\(sentences)")
    #expect(lines.contains { $0["event"] == "guidance" && $0["position"]?["level"] == "first" })
    daemon.signal(SIGTERM)
  }
}
