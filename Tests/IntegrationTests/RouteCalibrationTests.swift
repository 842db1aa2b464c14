import Foundation
import TestSupport
import Testing

/// `beaconmon calibrate --route`, with recorded and simulated beacons.
@Suite struct RouteCalibrationTests {
  private let folder: TemporaryDirectory
  private var config: String { folder.file("beaconmon.toml") }
  private var venue: String { folder.file("hall.toml") }
  private var dropIn: String { folder.file("conf.d/calibration.toml") }
  private static let walk = Programs.fixture("gallery-rectangular_without_rotation.btsnoop")

  init() throws {
    folder = try TemporaryDirectory()
    let gallery = try String(contentsOfFile: Programs.repository("Docs/examples/venues/gallery.toml"), encoding: .utf8)
    // The true positions of the recorded walk at some of its times.
    let nodes = ["a": "11.74, 4.12", "b": "7.63, 4.12", "c": "6.05, 4.05"].sorted { $0.key < $1.key }.map { id, point in
      "[[node]]\nid = \"\(id)\"\nlevel = \"ground\"\nposition = [\(point)]\n"
    }
    try (gallery + nodes.joined()).write(toFile: venue, atomically: true, encoding: .utf8)
    try "# My shop.\n".write(toFile: config, atomically: true, encoding: .utf8)
  }

  private func calibrate(_ arguments: String...) throws -> CommandLine {
    try CommandLine(["calibrate"] + arguments + ["--config", config])
  }

  @Test func `a capture of a walk past nodes of a venue calibrates its beacons`() throws {
    let run = try calibrate(Self.walk, "--route", "a,b,c", "--passed", "5,15,19", "--venue", venue, "--height", "1.8", "--yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains { $0.hasPrefix("1/7 ") }, "\(run.output)")
    let text = try String(contentsOfFile: dropIn, encoding: .utf8)
    #expect(text.contains("# Measured on the route a, b, c.\n") && text.contains("minor = 7\nrssi-offset = "))
    #expect(try String(contentsOfFile: config, encoding: .utf8) == "# My shop.\n")
  }

  @Test(
    arguments: [
      (["--route", "a"], 64, "a route needs two places or more"), (["--route", "a,nowhere"], 64, "hall has no place or node \"nowhere\""),
      (["--route", "a,b,c", "--passed", "5,15"], 64, "has 2 times, and --route 3 places"),
      (["--route", "a,b,c", "--passed", "5,15,15"], 64, "in rising order"),
      (["--route", "a,b,c", "--passed", "5,15,9999"], 65, "the capture ends after"),
      (["--route", "a,b,c", "--passed", "5,5.5,9"], 65, "which is not a walk at a steady speed"),
      (["--route", "a,b", "--distance", "1"], 64, "--route cannot be combined"), (["--height", "1"], 64, "require --route"),
    ] as [([String], Int32, String)])
  func `a wrong route is refused with the remedy, and nothing is written`(arguments: [String], status: Int32, message: String) throws {
    let file = arguments.contains("--route") ? ["--venue", venue] : []
    let run = try CommandLine(["calibrate", Self.walk, "--config", config] + arguments + file)
    #expect(run.status == status && run.errors.joined().contains(message), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: dropIn))
  }

  /// A receiver that stands in the middle of six beacons, and a venue file whose route hardly leaves it.
  private func writeBench() throws {
    let positions = [(1.5, 0), (0, 3), (-4, 0), (0, -6), (5, 5), (-2, 1)] as [(Double, Double)]
    let numbers = positions.enumerated().map { ($0.offset + 1, $0.element.0, $0.element.1) }
    let uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    let beacons = numbers.map { "{ uuid = \"\(uuid)\", major = 1, minor = \($0), position = [\($1), \($2)], interval = \"100ms\" }" }
    try """
    name = "a bench"
    duration = "1h"
    beacon = [\(beacons.joined(separator: ", "))]
    [radio]
    loss = 0.0
    [[receiver]]
    position = [0, 0]
    """.write(toFile: folder.file("bench.toml"), atomically: true, encoding: .utf8)
    let planned = numbers.map { "[[beacon]]\nmajor = 1\nminor = \($0)\nposition = [\($1), \($2)]\n" }
    let nodes = ["a": "-1.5, 0", "b": "1.5, 0", "c": "0, 1.5"].map { "[[node]]\nid = \"\($0)\"\nposition = [\($1)]\n" }
    try ("format = 1\nuuid = \"\(uuid)\"\n" + planned.joined() + nodes.joined()).write(toFile: venue, atomically: true, encoding: .utf8)
  }

  @Test func `with the daemon, Enter confirms each place, and an Enter that comes too early is refused`() throws {
    try writeBench()
    let input = Pipe()
    let run = try RunningProgram(
      Programs.testbed,
      [
        folder.file("bench.toml"), "--speed", "5", "--", "beaconmon", "calibrate", "--route", "a,b,c", "--venue", venue, "--config", config,
      ], environment: Programs.onPath, input: input)
    func answer(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8)) }
    var refusals: Set<String> = []
    /// Presses Enter until the program takes it.
    func confirm(_ next: String) throws {
      while true {
        try answer("")
        let line = try run.output.next("a reply") {
          $0.hasPrefix(next) || $0.contains("is too short for a walk") || $0.contains("no packet was received")
        }
        if line.hasPrefix(next) { return }
        refusals.insert(line)
      }
    }
    _ = try run.output.next("the first prompt") { $0.hasPrefix("Stand at a with the receiver") }
    try answer("?")
    _ = try run.output.next("the explanation") { $0.hasPrefix("Enter confirms a station") }
    try confirm("Walk to b, 3.0 m straight ahead")
    try answer("again")
    _ = try run.output.next("the first prompt") { $0.hasPrefix("Stand at a with the receiver") }
    try confirm("Walk to b")
    try confirm("Walk to c, 2.1 m straight ahead")
    try confirm("fading")
    #expect(refusals.contains { $0.contains("is too short for a walk to b") })
    _ = try run.output.next("the question") { $0.hasPrefix("Write calibration.toml?") }
    try answer("y")
    #expect(try run.exitStatus() == 0)
    #expect(try String(contentsOfFile: dropIn, encoding: .utf8).contains("# Measured on the route a, b, c.\n"))
  }

  @Test func `an input that ends before the last place writes nothing`() throws {
    try writeBench()
    let run = try RunningProgram(
      Programs.testbed,
      [folder.file("bench.toml"), "--", "beaconmon", "calibrate", "--route", "a,b", "--venue", venue, "--config", config],
      environment: Programs.onPath, input: .bringing(Data("?\n".utf8)))
    #expect(try run.exitStatus() == 66)
    #expect(try run.log.all().last == "beaconmon: the input ended before the last answer; nothing was written")
  }
}
