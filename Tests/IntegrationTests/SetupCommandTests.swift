import Foundation
import Glibc
import TestSupport
import Testing

/// `beaconmon setup`, driven by a script and on a terminal.
@Suite struct SetupCommandTests {
  private static let walk = Programs.fixture("gallery-rectangular_without_rotation.btsnoop")
  private let folder: TemporaryDirectory
  private var config: String { folder.file("beaconmon.toml") }

  init() throws {
    folder = try TemporaryDirectory()
    try Data("# Mine.\n".utf8).write(to: URL(fileURLWithPath: config))
  }

  private func setup(_ answers: [String], _ more: String...) throws -> CommandLine {
    let input = Pipe.bringing(Data(answers.map { $0 + "\n" }.joined().utf8))
    return try CommandLine(["setup", "--config", config, "--capture", Self.walk] + more, input: input)
  }

  private func text() throws -> String { try String(contentsOfFile: config, encoding: .utf8) }

  @Test func `an empty config becomes a working one with 12 beacons of a simulated gallery, with seven answers`() throws {
    let venues = folder.file("venues")
    try FileManager.default.createDirectory(atPath: venues, withIntermediateDirectories: false)
    for (source, target) in [("Docs/examples/venues/gallery.toml", "venues/gallery.toml"), ("Tests/Docs/visit.toml", "visit.toml")] {
      try FileManager.default.copyItem(atPath: Programs.repository(source), toPath: folder.file(target))
    }
    try Data().write(to: URL(fileURLWithPath: config))
    let answers = ["1", "venues/gallery.toml", "1", "exhibit-*", "3", "2", "y"]
    #expect(answers.count <= 15)
    let input = Pipe.bringing(Data(answers.map { $0 + "\n" }.joined().utf8))
    let run = try RunningProgram(
      Programs.testbed, [folder.file("visit.toml"), "--speed", "5", "--", "beaconmon", "setup", "--config", config, "--listen", "3s"],
      environment: Programs.onPath, input: input)
    let output = try run.output.all()
    #expect(try run.exitStatus() == 0, "\(output)")
    #expect(output.contains { $0.contains("8ec76ea3-6668-48da-9866-75be8bc86f4d: 12 beacons") }, "\(output)")
    #expect(try CommandLine(["config", "check", "--strict", config]).output == ["\(config): valid, 12 regions, 1 action, 1 venue"])
    // A recorded walk past the same beacons enters the new regions.
    let replay = try CommandLine(["replay", Self.walk, "--config", config])
    let entered = (1...12).filter { number in replay.output.contains { $0.contains(" enter  exhibit-\(number) ") } }
    #expect(entered.count >= 6, "\(replay.output.count) \(replay.errors)")
  }

  @Test func `without questions the answers in brackets apply, and a second run adds nothing twice`() throws {
    let first = try setup([], "--yes")
    #expect(first.status == 0 && first.output.contains("\(config): written"), "\(first.output) \(first.errors)")
    let written = try text()
    #expect(written.hasPrefix("# Mine.\n\n[[region]]\nidentifier = \"beacon-1-1\"\n"))
    #expect(written.components(separatedBy: "[[region]]").count == 13)
    let again = try setup(["1", "none", "1", "beacons", "none", "1", "y"])
    #expect(again.status == 0, "\(again.output) \(again.errors)")
    #expect(try text().components(separatedBy: "[[region]]").count == 14)
  }

  @Test func `the report of a survey needs no questions, and names its beacons`() throws {
    let (list, report) = (folder.file("list.csv"), folder.file("survey.json"))
    let uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    try Data("uuid,major,minor,name\n\(uuid),1,1,Lodestone\n\(uuid),1,2,Amber\n".utf8).write(to: URL(fileURLWithPath: list))
    let survey = try CommandLine(["survey", Self.walk, "--expect", list, "--json"])
    try Data(survey.output.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: report))
    let run = try CommandLine(["setup", "--config", config, "--yes", "--from", report])
    #expect(run.status == 0 && run.output.contains("\(config): written"), "\(run.output) \(run.errors) \(survey.errors)")
    #expect(try text().components(separatedBy: "[[region]]").count == 3)
    #expect(try text().contains("identifier = \"Lodestone\"") && text().contains("identifier = \"Amber\""))
    #expect(try CommandLine(["setup", "--config", folder.file("new.toml"), "--yes", "--from", "/dev/zero"]).status == 65)
    for (content, reason) in [("", "octet 1"), ("{}", "not the report of a survey"), ("{\"version\":99}", "not the report of a survey")] {
      try Data(content.utf8).write(to: URL(fileURLWithPath: report))
      let bad = try CommandLine(["setup", "--config", folder.file("new.toml"), "--yes", "--from", report])
      #expect(bad.status == 65 && bad.errors.contains { $0.contains("survey.json") && $0.contains(reason) }, "\(bad.errors)")
    }
  }

  @Test(arguments: [[], ["1", "none"], ["1", "none", "1", "", "", ""]])
  func `if the input ends before the last answer, the config is unchanged`(answers: [String]) throws {
    let run = try setup(answers)
    #expect(run.status == 66)
    #expect(run.errors == ["beaconmon: the input ended before the last answer; \(config) is unchanged"])
    #expect(try text() == "# Mine.\n")
  }

  @Test func `Ctrl-C in the middle and a no at the end leave the config unchanged`() throws {
    let run = try RunningProgram(Programs.commandLine, ["setup", "--config", config, "--capture", Self.walk])
    try run.input.write(contentsOf: Data("1\nnone\n".utf8))
    while try !run.output.next("the question about regions").hasSuffix("Make one for:") {}
    run.signal(SIGINT)
    #expect(try run.exitStatus() == 130)
    #expect(try run.log.all() == ["beaconmon: interrupted; \(config) is unchanged"])
    let no = try setup(["1", "none", "1", "", "", "1", "n"])
    #expect(no.status == 0 && no.output.last == "\(config): unchanged")
    #expect(try text() == "# Mine.\n")
  }

  @Test func `an invalid config and a wrong option end setup before the first question`() throws {
    try Data("regoin = 1\n".utf8).write(to: URL(fileURLWithPath: config))
    let run = try setup([])
    #expect(run.status == 78 && run.output.isEmpty && run.errors.first?.contains("beaconmon.toml:1: ") == true, "\(run.errors)")
    #expect(try CommandLine(["setup", "--listen", "0s"]).status == 64)
    #expect(try CommandLine(["setup", "--capture", "a", "--bus", "b"]).status == 64)
    #expect(try CommandLine(["setup", "--config", folder.file("new.toml"), "--capture", "nosuch.btsnoop"]).status == 66)
    #expect(!FileManager.default.fileExists(atPath: folder.file("new.toml")))
  }

  @Test func `without a daemon the UUID can be typed, and --yes states what is missing`() throws {
    let stage = try Stage()
    let arguments = ["setup", "--config", config, "--bus", stage.bus.address, "--listen", "1s"]
    let answers = ["", "8ec76ea3-6668-48da-9866-75be8bc86f4d", "none", "1", "shop", "", "1", "y"]
    let run = try CommandLine(arguments, input: .bringing(Data(answers.map { $0 + "\n" }.joined().utf8)))
    #expect(run.status == 0 && run.output.contains { $0.contains("beaconmond is not running") }, "\(run.output) \(run.errors)")
    #expect(try text().hasSuffix("[[region]]\nidentifier = \"shop\"\nuuid = \"8ec76ea3-6668-48da-9866-75be8bc86f4d\"\n"))
    let silent = try CommandLine(arguments + ["--yes"])
    #expect(silent.status == 69 && silent.errors.first?.contains("beaconmond is not running") == true, "\(silent.errors)")
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func `setup offers another attempt on a full disk, and ends at once on a read-only one`() throws {
    let disk = try SmallDisk()
    let main = "\(disk.path)/beaconmon.toml"
    try "# Mine.\n".write(toFile: main, atomically: true, encoding: .utf8)
    let filler = "\(disk.path)/filler"
    _ = FileManager.default.createFile(atPath: filler, contents: nil)
    let handle = try #require(FileHandle(forWritingAtPath: filler))
    // Fills the last block.
    while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
    try handle.close()
    let arguments = ["setup", "--config", main, "--capture", Self.walk]
    let run = try RunningProgram(Programs.commandLine, arguments)
    try run.input.write(contentsOf: Data("1\nnone\n1\n\n\n1\ny\n".utf8))
    while try !run.output.next("the full disk").contains("unchanged, because it cannot be written: No space left on device; make room") {}
    #expect(try String(contentsOfFile: main, encoding: .utf8) == "# Mine.\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["beaconmon.toml", "filler"])
    try disk.grow()
    try run.input.write(contentsOf: Data("y\n".utf8))
    #expect(try run.exitStatus() == 0)
    #expect(try String(contentsOfFile: main, encoding: .utf8).components(separatedBy: "[[region]]").count == 13)
    let before = try String(contentsOfFile: main, encoding: .utf8)
    try disk.setReadOnly(true)
    let refused = try CommandLine(arguments)
    #expect(refused.status == 77 && refused.output.isEmpty)
    #expect(refused.errors.first?.contains("\(main): unchanged, because it cannot be written: Read-only file system; mount") == true)
    #expect(try String(contentsOfFile: main, encoding: .utf8) == before)
  }

  @Test(arguments: [(60, 20), (20, 24)]) func `setup is readable in a small window`(columns: Int, rows: Int) throws {
    let window = try TmuxWindow(columns: columns, rows: rows)
    // The answers of the window take no part in the width of the command.
    try window.type("cd '\(folder.path)'; clear; '\(Programs.commandLine)' setup --config b.toml --capture '\(Self.walk)'")
    try window.wait(for: "[1] >")
    for (answer, text) in [
      ("1", "[none] >"), ("none", "3 each UUID"), ("1", "[as shown] >"), ("?", "one after"), ("", "[3] >"), ("", "5 a command"),
    ] {
      try window.type(answer)
      try window.wait(for: text)
    }
    try window.type("1")
    try ExpectedScreen.compare(try window.wait(for: "[y] >").suffix(12).map(\.self), "setup-\(columns)x\(rows)")
    try window.press("C-c")
    try window.wait(for: "interrupt")
    #expect(!FileManager.default.fileExists(atPath: folder.file("b.toml")))
  }

  @Test func `without a daemon, setup states how to start it, and listens again`() throws {
    let stage = try Stage()
    let run = try RunningProgram(
      Programs.commandLine, ["setup", "--config", config, "--bus", stage.bus.address, "--listen", "1s"],
      input: .bringing(Data("again\nquit\n".utf8)))
    let output = try run.output.all()
    #expect(try run.exitStatus() == 0)
    let start = "start it with \"beaconmond --bus \(stage.bus.address)\""
    #expect(output.count { $0.contains(start) } == 2, "\(output)")
    #expect(!output.contains { $0.contains("There is no config yet") }, "\(output)")
    #expect(output.count { $0.contains("Do that in another terminal, and type \"again\" to listen again") } == 2, "\(output)")
    let yes = try CommandLine(["setup", "--config", config, "--bus", stage.bus.address, "--yes"])
    #expect(yes.status == 69 && yes.errors.joined().contains("or take the beacons of a survey with --from"), "\(yes.errors)")
  }
}
