import Failures
import Instants
import Status
import TestSupport
import Testing

@testable import ClientCommands

/// A recording of a fake daemon into a fake file, on a manual clock.
@Suite struct PacketRecordingTests {
  private final class File: RecordedFile {
    var isFull = false
    var obstacle: RecordedFileObstacle?
    private(set) var octets: [UInt8] = []

    func write(_ records: ArraySlice<UInt8>) { octets += records }
  }

  private final class Packets: RecordedPackets {
    var advertisements: UInt64 = 1
    var isHeld = false { didSet { changes += 1 } }
    var reason: String?
    private(set) var changes = 0
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let file = File()
    let packets = Packets()
    let recording: PacketRecording
    var obstacle: HearingObstacle?
    private(set) var requests = 0
    private(set) var ends: [Failure?] = []

    init(begins: Bool = true) {
      recording = PacketRecording(scheduler, duration: .seconds(60), file, packets)
      recording.onRequest = { [unowned self] in requests += 1 }
      recording.onEnd = { [unowned self] in ends.append($0) }
      guard begins else { return }
      begin()
      recording.noteStart()
    }

    func begin() { recording.begin { [unowned self] in $0(obstacle) } }

    var failure: Failure? { recording.failure(of: "a.btsnoop") }
  }

  @Test func `packets are requested from a daemon that can receive, and the obstacle of another one ends the command`() {
    let scene = Scene(begins: false)
    scene.obstacle = HearingObstacle(text: "the adapter is off", isExplained: true)
    scene.begin()
    #expect(scene.requests == 0 && scene.ends == [Failure(.unavailable, "the adapter is off")])
    let other = Scene()
    #expect(other.requests == 1 && other.ends.isEmpty)
  }

  @Test func `the time of the recording begins with the request`() {
    let scene = Scene(begins: false)
    scene.scheduler.advance(by: .seconds(9))
    scene.begin()
    scene.scheduler.advance(by: .seconds(2))
    #expect(scene.recording.elapsed == .seconds(2))
  }

  @Test func `packets go to the file, and are suspended while it is full`() {
    let scene = Scene()
    scene.recording.take([1, 2])
    #expect(scene.file.octets == [1, 2] && !scene.packets.isHeld)
    scene.file.isFull = true
    scene.recording.take([3])
    scene.recording.settle()
    #expect(scene.packets.isHeld && scene.packets.changes == 1)
    scene.file.isFull = false
    scene.recording.settle()
    #expect(!scene.packets.isHeld && scene.packets.changes == 2 && scene.ends.isEmpty)
  }

  @Test func `a recording that the daemon ends has succeeded`() {
    let scene = Scene()
    scene.packets.reason = "the duration has passed"
    // An adapter that was removed at the end is not an obstacle to the packets before.
    scene.obstacle = HearingObstacle(text: "no adapter", isExplained: true)
    scene.recording.noteEnd()
    #expect(scene.ends == [nil] && scene.failure == nil && scene.recording.writeFailure == nil)
  }

  @Test func `a recording that is cut off is a failure of the daemon`() {
    let scene = Scene()
    scene.recording.noteEnd()
    #expect(scene.failure == Failure(.unavailable, "beaconmond has stopped; a.btsnoop contains the packets received until then"))
  }

  @Test func `a daemon that does not end the recording after its duration does not respond`() {
    let scene = Scene()
    scene.scheduler.advance(by: .milliseconds(64_499))
    #expect(scene.ends.isEmpty)
    scene.scheduler.advance(by: .milliseconds(1))
    #expect(scene.ends == [nil])
    #expect(scene.failure == Failure(.unavailable, "beaconmond does not respond; a.btsnoop contains the packets received until then"))
  }

  @Test func `an empty recording has the obstacle at its end as its failure`() {
    let scene = Scene()
    (scene.packets.advertisements, scene.packets.reason) = (0, "the duration has passed")
    scene.obstacle = HearingObstacle(text: "no adapter", isExplained: false)
    scene.recording.noteEnd()
    #expect(scene.ends == [nil] && scene.failure == Failure(.unavailable, "no adapter"))
    let quiet = Scene()
    (quiet.packets.advertisements, quiet.packets.reason) = (0, "the duration has passed")
    quiet.recording.noteEnd()
    #expect(quiet.ends == [nil] && quiet.failure == nil)
  }

  @Test func `a file that cannot be written ends the recording, and is the only failure`() {
    let scene = Scene()
    scene.file.obstacle = .failure("a.btsnoop: no space left")
    scene.recording.take([1])
    #expect(scene.ends == [nil] && scene.recording.writeFailure == Failure(.ioError, "a.btsnoop: no space left"))
    #expect(scene.failure == nil)
  }

  @Test func `a reader that closes the pipe ends the recording without a failure`() {
    let scene = Scene()
    scene.file.obstacle = .closedPipe
    scene.recording.settle()
    #expect(scene.ends == [nil] && scene.recording.writeFailure == nil && scene.failure == nil)
  }
}
