import BeaconAdvertising
import Beacons
import ClientCommands
import Failures
import Instants
import Status
import TestSupport
import Testing

/// A sample of the packets of a fake daemon, on a manual clock.
@Suite struct PacketSampleTests {
  private final class Scene {
    let scheduler = ManualScheduler()
    let sample: PacketSample
    private(set) var requests = 0
    private(set) var ends: [Failure?] = []

    init(_ obstacle: HearingObstacle? = nil, starts: Bool = true) {
      sample = PacketSample(scheduler, duration: .seconds(20))
      sample.onRequest = { [unowned self] in requests += 1 }
      sample.onEnd = { [unowned self] in ends.append($0) }
      sample.begin { $0(obstacle) }
      guard starts else { return }
      // The daemon takes a while to accept.
      scheduler.advance(by: .seconds(3))
      sample.noteStart()
    }

    func wait(_ seconds: Double) { scheduler.advance(by: .seconds(seconds)) }
  }

  @Test func `the time of a sample begins when the daemon has accepted`() {
    let scene = Scene()
    scene.wait(19.9)
    #expect(scene.requests == 1 && scene.ends.isEmpty && !scene.sample.isComplete)
    scene.wait(0.1)
    #expect(scene.ends == [nil] && scene.sample.isComplete && scene.sample.failure(reason: nil) == nil)
  }

  @Test func `a daemon that cannot receive gets no request`() {
    let scene = Scene(HearingObstacle(text: "the adapter is off", isExplained: true), starts: false)
    #expect(scene.requests == 0 && scene.ends == [Failure(.unavailable, "the adapter is off")])
  }

  @Test func `packets that end too early are a failure with the reason of the daemon`() {
    let scene = Scene()
    scene.wait(5)
    scene.sample.noteEnd()
    #expect(scene.ends == [nil] && !scene.sample.isComplete)
    #expect(scene.sample.failure(reason: nil) == Failure(.unavailable, "beaconmond has ended the recording; start it again"))
    #expect(
      scene.sample.failure(reason: "no adapter") == Failure(.unavailable, "beaconmond has ended the recording: no adapter; start it again"))
  }

  @Test func `the last packets arrive after a complete sample, whose end is not a failure`() {
    let scene = Scene()
    scene.wait(20)
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 0, low: 1), major: 1, minor: 2)
    scene.sample.take([Sighting(beacon: beacon, measuredPower: -59, rssi: -60, time: scene.scheduler.now)])
    scene.sample.noteEnd()
    #expect(scene.sample.isComplete && scene.sample.sightings.count == 1 && scene.sample.failure(reason: nil) == nil)
  }

  @Test func `an interrupted sample is neither complete nor a failure`() {
    let scene = Scene()
    scene.wait(5)
    #expect(!scene.sample.isComplete && scene.sample.failure(reason: nil) == nil)
    let refused = Scene(starts: false)
    refused.sample.noteEnd()
    #expect(refused.sample.failure(reason: nil) == nil)
  }
}
