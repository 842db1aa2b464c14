import BeaconAdvertising
import Beacons
import ClientCommands
import Failures
import Instants
import Proximity
import Ranging
import Testing

/// Ranging of a capture, on its clock.
@Suite struct PlayedRangingTests {
  private final class Output: PlayedRangingOutput {
    var isScreen = false
    var isInteractive = false
    var isOnce = false
    private(set) var isDone = false
    private(set) var hasShownBeacon = false
    private(set) var snapshots: [(time: Instant, minors: [UInt16])] = []
    private(set) var notes: [String?] = []

    func show(_ beacons: [RangedBeacon], at time: Instant) {
      snapshots.append((time, beacons.map(\.beacon.minor)))
      guard !beacons.isEmpty else { return }
      hasShownBeacon = true
      isDone = isOnce
    }

    func note(_ text: String?) { notes.append(text) }
  }

  private final class Scene {
    let output = Output()
    let ranging: PlayedRanging
    private(set) var ends: [Failure?] = []

    init(once: Bool = false, isInteractive: Bool = false) {
      (output.isOnce, output.isScreen, output.isInteractive) = (once, isInteractive, isInteractive)
      var engine = ProximityEngine(at: Instant(microseconds: 0))
      for major: UInt16 in [1, 2] { engine.startRanging(BeaconConstraint(uuid: PlayedRangingTests.uuid, major: major)) }
      ranging = PlayedRanging(EngineDriver(engine: engine), patience: once ? .seconds(5) : nil, output: output)
      ranging.onEnd = { [unowned self] in ends.append($0) }
      ranging.begin(at: PlayedRangingTests.at(0))
    }

    /// Plays up to a second, with a sighting of each beacon just before it.
    func play(to seconds: Double, _ beacons: (major: UInt16, minor: UInt16, rssi: Int8)...) {
      let time = PlayedRangingTests.at(seconds) - .milliseconds(100)
      let sightings = beacons.map {
        Sighting(
          beacon: BeaconIdentity(uuid: PlayedRangingTests.uuid, major: $0.major, minor: $0.minor), measuredPower: -59, rssi: $0.rssi,
          time: time)
      }
      ranging.take(sightings, through: PlayedRangingTests.at(seconds))
    }
  }

  private static let uuid = BeaconUUID(high: 0x8EC7_6EA3_6668_48DA, low: 0x9866_75BE_8BC8_6F4D)

  private static func at(_ seconds: Double) -> Instant { Instant(microseconds: 1_000_000_000) + .seconds(seconds) }

  @Test func `beacons of several regions are shown nearest first`() {
    let scene = Scene()
    scene.play(to: 1, (1, 7, -80), (2, 8, -50))
    scene.play(to: 2)
    #expect(scene.output.snapshots.last?.minors == [8, 7] && scene.ends.isEmpty)
  }

  @Test func `a command for one snapshot ends with the first beacon`() {
    let scene = Scene(once: true)
    scene.play(to: 1, (1, 7, -60))
    scene.play(to: 2)
    #expect(scene.output.hasShownBeacon && scene.ends.first == .some(nil) && !scene.ranging.hasEnded)
  }

  @Test func `a command for one snapshot waits for five seconds of the capture, and shows nothing later`() {
    let scene = Scene(once: true)
    scene.play(to: 5)
    #expect(scene.ends.isEmpty)
    scene.play(to: 8, (1, 7, -60))
    scene.play(to: 9)
    #expect(!scene.ends.isEmpty && !scene.output.hasShownBeacon)
  }

  @Test func `a capture of less than a second shows its beacons at its end`() {
    let scene = Scene()
    scene.play(to: 0.5, (1, 7, -60))
    #expect(!scene.output.hasShownBeacon)
    scene.ranging.noteEnd(.complete)
    #expect(scene.output.snapshots.last?.minors == [7] && scene.ends == [nil] && scene.ranging.hasEnded)
  }

  @Test func `a complete second at the end is not followed by another snapshot`() {
    let scene = Scene()
    scene.play(to: 1.5, (1, 7, -60))
    scene.play(to: 2.5, (1, 7, -60))
    let count = scene.output.snapshots.count
    scene.ranging.noteEnd(.complete)
    #expect(count > 0 && scene.output.snapshots.count == count)
  }

  @Test func `beacons stay on an interactive screen after the end`() {
    let scene = Scene(isInteractive: true)
    scene.play(to: 1, (1, 7, -60))
    scene.play(to: 2)
    scene.ranging.noteEnd(.complete)
    scene.ranging.noteFinish()
    #expect(scene.output.notes == ["the capture has ended"] && scene.ends.isEmpty && scene.ranging.hasEnded)
    let empty = Scene(isInteractive: true)
    empty.ranging.noteEnd(.complete)
    #expect(empty.ends == [nil])
  }

  @Test func `a capture that was cut off has ended, and one that cannot be read has failed`() {
    let scene = Scene()
    scene.ranging.noteEnd(.truncated("walk.btsnoop: cut off"))
    #expect(scene.output.notes == ["walk.btsnoop: cut off"] && scene.ends == [nil] && scene.ranging.hasEnded)
    let failed = Scene(isInteractive: true)
    let failure = Failure(.dataError, "walk.btsnoop: no capture")
    failed.play(to: 1, (1, 7, -60))
    failed.play(to: 2)
    failed.ranging.noteEnd(.failed(failure))
    #expect(failed.output.notes.isEmpty && failed.ends == [failure] && !failed.ranging.hasEnded)
  }
}
