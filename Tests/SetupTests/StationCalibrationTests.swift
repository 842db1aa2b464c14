import BeaconAdvertising
import Beacons
import Failures
import Instants
import Scoring
import Setup
import SignalCalibration
import TestSupport
import Testing
import Venues

/// A walk past the stations of a hall, on a manual clock.
@Suite struct StationCalibrationTests {
  private final class Scene {
    let scheduler = ManualScheduler()
    let console = FakeConsole()
    let output = FakeCalibration()
    let calibration: StationCalibration
    private(set) var ends = 0

    init(hears: Bool = true, begins: Bool = true) throws {
      let venue = Venue(
        id: "hall", beacons: [PlannedBeacon(identity: Self.beacon, position: PlanPoint(x: 0, y: 0), height: 1.5)],
        places: [
          Place(id: "door", position: PlanPoint(x: 1, y: 0), title: "Entrance"), Place(id: "desk", position: PlanPoint(x: 11, y: 0)),
        ])
      calibration = StationCalibration(
        scheduler, try StationWalk(["door", "desk"], in: venue), height: 1.5, target: "c.toml", output, console)
      calibration.onEnd = { [unowned self] in ends += 1 }
      if begins { calibration.begin() }
      if hears { hear(1) }
    }

    private static let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 1)

    /// Receives the beacon ten times a second.
    func hear(_ seconds: Int, of beacon: BeaconIdentity = beacon, rssi: Int8 = -70) {
      for _ in 0..<seconds * 10 {
        scheduler.advance(by: .milliseconds(100))
        calibration.take([Sighting(beacon: beacon, measuredPower: -59, rssi: rssi, time: scheduler.wallClock)])
      }
    }

    func type(_ lines: String...) { for line in lines { calibration.take(.line(line)) } }

    /// Walks from the first station to the last one.
    func walk() {
      type("")
      hear(10)
      type("")
    }

    var failure: Failure? {
      if case .failed(let error as Failure)? = calibration.end { error } else { nil }
    }

    var isDecided: Bool {
      if case .decided? = calibration.end { true } else { false }
    }
  }

  @Test func `a walk is shown, and written after confirmation`() throws {
    let scene = try Scene()
    scene.walk()
    #expect(scene.output.shown.count == 1 && scene.ends == 0)
    #expect(
      scene.console.texts == [
        "Stand at door with the receiver, and press Enter to begin.",
        "Walk to desk, 10.0 m straight ahead, at a steady speed, and press Enter when you are there (1 of 1).",
        "Write c.toml? y writes it and keeps the previous one as c.toml.old, n writes nothing.",
      ])
    scene.type("y")
    #expect(scene.output.written == scene.output.shown && scene.isDecided && scene.ends == 1)
  }

  @Test(arguments: ["n", "quit"]) func `a result that the user does not want is not written`(answer: String) throws {
    let scene = try Scene()
    scene.walk()
    scene.type("maybe", answer, "y")
    #expect(scene.console.texts.suffix(2) == ["type y or n", "nothing was written"])
    #expect(scene.output.written.isEmpty && scene.isDecided && scene.ends == 1)
  }

  @Test func `Enter before the first packet is refused`() throws {
    let scene = try Scene(hears: false)
    scene.type("")
    #expect(scene.console.texts.last?.hasPrefix("no packet was received yet") == true)
    scene.hear(1)
    scene.type("")
    #expect(scene.console.texts.last?.hasPrefix("Walk to desk") == true)
  }

  @Test func `Enter that comes too early is refused, and the walk continues`() throws {
    let scene = try Scene()
    scene.type("")
    scene.hear(1)
    scene.type("")
    #expect(scene.console.texts.last == "1.0 s is too short for a walk to desk; press Enter when you are there")
    scene.hear(9)
    scene.type("")
    #expect(scene.output.shown.count == 1)
  }

  @Test func `again begins at the first station, a wrong answer is refused, and help is explained`() throws {
    let scene = try Scene()
    scene.type("", "here", "?", "again")
    #expect(
      scene.console.texts.suffix(3) == [
        "press Enter at desk; ? explains the answers",
        "Enter confirms a station, \"again\" begins again at door, and \"quit\" ends without a change.",
        "Stand at door with the receiver, and press Enter to begin.",
      ])
    scene.walk()
    #expect(scene.output.shown.count == 1 && scene.ends == 0)
  }

  @Test func `a daemon that stops ends the walk, but not the question about the result`() throws {
    let scene = try Scene()
    scene.type("")
    scene.calibration.noteAbsence()
    #expect(scene.failure == Failure(.unavailable, "beaconmond has stopped; start it, and walk again") && scene.ends == 1)
    let other = try Scene()
    other.walk()
    other.calibration.noteAbsence()
    other.calibration.noteEndOfPackets(nil)
    #expect(other.ends == 0)
    other.type("y")
    #expect(other.output.written.count == 1 && other.isDecided)
  }

  @Test func `packets that end are a failure with the reason of the daemon`() throws {
    let scene = try Scene()
    scene.calibration.noteEndOfPackets("the disk is full")
    #expect(scene.failure == Failure(.unavailable, "beaconmond has ended the recording: the disk is full; walk again"))
    // The first end counts, and no answer changes it.
    scene.calibration.noteAbsence()
    scene.walk()
    #expect(scene.failure?.description.contains("the disk is full") == true && scene.ends == 1 && scene.output.shown.isEmpty)
  }

  @Test func `a walk without a beacon of the venue is a failure`() throws {
    let scene = try Scene(hears: false)
    let other = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 9, minor: 9)
    scene.hear(1, of: other)
    scene.type("")
    scene.hear(10, of: other)
    scene.type("")
    #expect(scene.failure?.status == .dataError && scene.output.shown.isEmpty)
    #expect(scene.failure?.description.hasPrefix("no beacon of the venue was heard on the route") == true)
  }

  @Test func `a calibration without an exponent and beacons does not suffice`() throws {
    var calibration = try #require(SignalFit.calibration(of: [Self.sample]))
    try calibration.requireValues()
    calibration.beacons = []
    #expect(throws: Failure.self) { try calibration.requireValues() }
  }

  private static let sample = SignalSample(
    beacon: BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 1), power: -59, distance: 1, rssi: -60, packets: 100)

  @Test func `a file that cannot be written is shown, and y tries again`() throws {
    let scene = try Scene()
    scene.output.failures = [Failure(.noPermission, "c.toml: no")]
    scene.walk()
    scene.type("y")
    #expect(scene.console.texts.suffix(2) == ["c.toml: no", "y tries again, n writes nothing."] && scene.ends == 0)
    scene.type("y")
    #expect(scene.output.written.count == 1 && scene.ends == 1)
  }

  @Test func `an input that ends is a failure, and an interruption is not`() throws {
    let scene = try Scene()
    scene.calibration.take(.end)
    #expect(scene.failure == Failure(.noInput, "the input ended before the last answer; nothing was written"))
    let other = try Scene()
    other.calibration.take(.interrupted)
    #expect(other.calibration.end == nil && other.ends == 1)
  }
}
