import BeaconAdvertising
import Beacons
import Failures
import Instants
import Setup
import SignalCalibration
import Testing

/// A calibration at distances that its user types, with a receiver and a user of the test.
@Suite struct CalibrationRunTests {
  private struct BrokenOutput: Error {}

  private let console = FakeConsole()
  private let machine = FakeCalibration()
  private static let uuid = BeaconUUID(high: 1, low: 2)

  private static func sightings(_ minor: UInt16 = 5, rssi: Int8, count: Int = 40) -> [Sighting] {
    (0..<count).map { number in
      Sighting(
        beacon: BeaconIdentity(uuid: uuid, major: 1, minor: minor), measuredPower: -59, rssi: rssi + Int8(number % 3) - 1,
        time: Instant(microseconds: Int64(number) * 100_000))
    }
  }

  private func run(_ answers: String..., measuringFor time: Span = .seconds(20), minor: UInt16 = 5) throws -> SetupEnd {
    console.answers = answers.map { .line($0) }
    return try CalibrationRun(machine, console, measuringFor: time).run(target: "c.toml") { $0.minor == minor }
  }

  @Test func `a measured distance is shown, and written after confirmation`() throws {
    machine.heard = [Self.sightings(rssi: -60), Self.sightings(rssi: -65)]
    #expect(try run("1", "done", "y") == .finished)
    #expect(console.questions == ["Distance", "Distance", "Write"] && machine.times == [.seconds(3), .seconds(20)])
    #expect(console.texts[0] == "looking for beacons for 3s ..." && console.texts[1] == "measuring, stand still for 20s ...")
    #expect(machine.shown.count == 1 && machine.written == machine.shown)
    #expect(abs(try #require(machine.written.first?.beacons.first).power.value - -65) < 1)
  }

  @Test func `the offset of the receiver is not part of that of the beacon`() throws {
    machine.offset = 6
    machine.heard = [Self.sightings(rssi: -60), Self.sightings(rssi: -65)]
    _ = try run("1", "done", "y")
    #expect(abs(try #require(machine.written.first?.beacons.first).power.value - -59) < 1)
  }

  @Test func `the search is no longer than a measurement`() throws {
    machine.heard = [Self.sightings(rssi: -60)]
    _ = try run("quit", measuringFor: .seconds(1))
    #expect(machine.times == [.seconds(1)] && console.texts.last == "nothing was written")
  }

  @Test func `beacons that are not wanted are neither offered nor measured`() throws {
    machine.heard = [Self.sightings(6, rssi: -60)]
    let failure = try #require(throws: Failure.self) { try run() }
    #expect(failure.status == .unavailable && console.questions.isEmpty)
    machine.heard = [Self.sightings(rssi: -60) + Self.sightings(6, rssi: -40), Self.sightings(6, rssi: -40)]
    _ = try run("1", "quit")
    #expect(console.texts.contains("Beacon 1/5 was not heard there, and nothing was added. Is it on?"))
  }

  @Test func `an explained and a refused answer repeat the prompt alone`() throws {
    machine.heard = [Self.sightings(rssi: -60)]
    _ = try run("?", "near", "quit")
    #expect(console.questions == ["Distance", "[Distance]", "[Distance]"])
  }

  @Test func `a file that cannot be written is shown, and y tries again`() throws {
    machine.heard = [Self.sightings(rssi: -60), Self.sightings(rssi: -65)]
    machine.failures = [Failure(.noPermission, "c.toml: no\nc.toml: never")]
    #expect(try run("1", "done", "y", "y") == .finished)
    #expect(console.texts.suffix(3) == ["c.toml: no", "c.toml: never", "y tries again."])
    #expect(console.questions.last == "[Write]" && machine.written.count == 1)
  }

  @Test func `an output that is closed ends the calibration`() throws {
    machine.heard = [Self.sightings(rssi: -60), Self.sightings(rssi: -65)]
    machine.failures = [BrokenOutput()]
    #expect(throws: BrokenOutput.self) { try run("1", "done", "y", "y") }
    #expect(machine.written.isEmpty)
  }

  @Test func `an input that ends is a failure, and nothing is written`() throws {
    machine.heard = [Self.sightings(rssi: -60), Self.sightings(rssi: -65)]
    #expect(throws: Failure(.noInput, "the input ended before the last answer; nothing was written")) { try run("1") }
    #expect(machine.written.isEmpty)
  }

  @Test func `a signal interrupts the search, a measurement and an answer`() throws {
    machine.heard = [nil]
    #expect(try run() == .interrupted)
    machine.heard = [Self.sightings(rssi: -60), nil]
    #expect(try run("1") == .interrupted)
    machine.heard = [Self.sightings(rssi: -60)]
    console.answers = [.interrupted]
    #expect(try CalibrationRun(machine, console, measuringFor: .seconds(20)).run(target: "c.toml") { _ in true } == .interrupted)
    #expect(machine.written.isEmpty)
  }
}
