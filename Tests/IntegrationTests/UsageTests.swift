import Foundation
import TestSupport
import Testing

/// A wrong command line ends the daemon and the notifier with status 64 and the error.
@Suite struct UsageTests {
  @Test(
    arguments: [
      (["--confg", "x"], "unknown option --confg; see --help"),
      (["x"], "unexpected argument \"x\"; see --help"),
      (["--config", "x", "--config=y"], "--config is given more than once"),
      (["--session=1"], "--session takes no value"),
      (["--session", "--bus", "x"], "--bus, --session and --system cannot be combined"),
    ])
  func `an unknown option is named`(arguments: [String], message: String) throws {
    let stage = try Stage()
    for (program, name) in [(Programs.daemon, "beaconmond"), (Programs.notifier, "beaconmon-notifier")] {
      let refusal = try stage.refusal(of: program, arguments)
      #expect(refusal.status == 64)
      #expect(refusal.lines == ["\(name): \(message)"])
    }
  }

  @Test func `a missing value is named, with the usage lines`() throws {
    let stage = try Stage()
    for (program, name) in [(Programs.daemon, "beaconmond"), (Programs.notifier, "beaconmon-notifier")] {
      let refusal = try stage.refusal(of: program, ["--config"])
      #expect(refusal.status == 64)
      #expect(refusal.lines == ["\(name): --config requires a value; see --help"] + (try usage(of: program, name)))
    }
    let test = try stage.refusal(of: Programs.notifier, ["--test", "hall"])
    #expect(test.status == 64)
    #expect(
      test.lines == ["beaconmon-notifier: --test needs a region and an event; see --help"]
        + (try usage(of: Programs.notifier, "beaconmon-notifier"))
        + [
          "beaconmon-notifier: \"beaconmon status\" lists the regions; events are enter, exit, dwell, cross, state, depart, hurry, arrive, miss, beacon-missing, beacon-weak, beacon-moved, beacon-duplicate, beacon-recovered"
        ])
  }

  /// Returns the usage lines of `--help`, as an error contains them.
  private func usage(of program: String, _ name: String) throws -> [String] {
    let help = try RunningProgram.result(program, ["--help"]).split(separator: "\n", omittingEmptySubsequences: false)
    let lines = help.drop { !$0.hasPrefix("Usage: ") }.prefix { !$0.isEmpty }
    #expect(lines.first?.hasPrefix("Usage: \(name) [--config FILE] ") == true)
    return lines.map { "\(name): \($0.replacing("Usage:", with: "usage:"))" }
  }

  @Test(
    arguments: [
      (
        ["--source", "walk.btsnoop"],
        "--source: \"walk.btsnoop\" is not a source; use auto, bluez, hci, none, capture:FILE or simulator:FILE"
      ),
      (["--source", "capture:"], "--source: \"capture:\" has no file; write capture:FILE"),
      (["--source", "simulator:"], "--source: \"simulator:\" has no file; write simulator:FILE"),
      (["--seed", "-1"], "--seed: \"-1\" is not a whole number from 0 to 18446744073709551615"),
      (["--duration", "soon"], "--duration: write a number and ms, s, m, h or d, such as 10m"),
      (["--speed", "fast"], "--speed: \"fast\" is not a number greater than 0 and up to 1000000, or \"max\""),
      (["--speed", "0"], "--speed: \"0\" is not a number greater than 0 and up to 1000000, or \"max\""),
      (["--speed", "nan"], "--speed: \"nan\" is not a number greater than 0 and up to 1000000, or \"max\""),
    ])
  func `an invalid value is named`(arguments: [String], message: String) throws {
    let refusal = try Stage().refusal(of: Programs.daemon, arguments)
    #expect(refusal.status == 64)
    #expect(refusal.lines == ["beaconmond: \(message)"])
  }
}
