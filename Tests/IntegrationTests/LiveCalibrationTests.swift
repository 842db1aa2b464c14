import Foundation
import TestSupport
import Testing

/// `beaconmon calibrate` without captures, with a simulated beacon at 1 m.
@Suite struct LiveCalibrationTests {
  private let folder: TemporaryDirectory
  private var config: String { folder.file("beaconmon.toml") }
  private var dropIn: String { folder.file("conf.d/calibration.toml") }

  init() throws {
    folder = try TemporaryDirectory()
    try Data("# My shop.\n".utf8).write(to: URL(fileURLWithPath: config))
    try """
    name = "a bench"
    duration = "1h"
    beacon = [{ uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d", major = 1, minor = 5, position = [1, 0], interval = "100ms" }]
    [radio]
    loss = 0.0
    shadowing = 0.0
    [[receiver]]
    position = [0, 0]
    """.write(toFile: folder.file("bench.toml"), atomically: true, encoding: .utf8)
  }

  private func calibrate(_ answers: String) throws -> RunningProgram {
    try RunningProgram(
      Programs.testbed, [folder.file("bench.toml"), "--speed", "20", "--", "beaconmon", "calibrate", "--config", config, "--listen", "1s"],
      environment: Programs.onPath, input: .bringing(Data(answers.utf8)))
  }

  @Test func `standing at distances is measured and written after confirmation, and the config stays as it was`() throws {
    let run = try calibrate("1\n-2\ndone\ny\n")
    let output = try run.output.all()
    #expect(try run.exitStatus() == 0, "\(output)")
    #expect(output.contains("The distances do not suffice yet: add 4 m."), "\(output)")
    #expect(output.contains("\"-2\" is not a distance of 0.25 to 100 m; measure it with a tape"), "\(output)")
    #expect(output.contains { $0.hasPrefix("The distances from one beacon are too much alike (at most 1.0 m)") }, "\(output)")
    let text = try String(contentsOfFile: dropIn, encoding: .utf8)
    #expect(text.contains("minor = 5\nrssi-offset = ") && !text.contains("path-loss-exponent"))
    #expect(try String(contentsOfFile: config, encoding: .utf8) == "# My shop.\n")
  }

  @Test func `if the input ends after a measurement, nothing is written`() throws {
    let run = try calibrate("1\n")
    #expect(try run.exitStatus() == 66)
    #expect(try run.log.all().last == "beaconmon: the input ended before the last answer; nothing was written")
    #expect(!FileManager.default.fileExists(atPath: dropIn))
  }

  @Test(arguments: [
    (["--distance", "1"], "--distance, --truth and --beacons require captures"), (["--yes"], "--json and --yes require captures"),
    (["--listen", "0s"], "--listen: must be 1s to 10m"),
    (["a.btsnoop", "--distance", "1", "--listen", "5s"], "are for a calibration without"),
    (["--minor", "1"], "--minor requires --major"),
    (["a.btsnoop", "--distance", "-1"], "--distance: -1.0 is not a distance of 0.25 to 100 m"),
  ])
  func `options of a calibration with captures are refused without one, and the reverse`(arguments: [String], message: String) throws {
    let run = try CommandLine(["calibrate"] + arguments)
    #expect(run.status == 64 && run.errors.first?.contains(message) == true, "\(run.errors)")
  }
}
