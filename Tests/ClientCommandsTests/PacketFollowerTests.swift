import Failures
import Instants
import TestSupport
import Testing

@testable import ClientCommands

/// The packets of a fake daemon on a manual clock.
@Suite struct PacketFollowerTests {
  private final class Stream: PacketStream {
    var lostPackets = 0
    let handler: (PacketEvent) -> Void

    init(_ handler: @escaping (PacketEvent) -> Void) { self.handler = handler }
  }

  private final class Daemon: PacketLink {
    var failure: Failure?
    private(set) var requests = 0
    private(set) weak var stream: Stream?

    func requestPackets(_ handler: @escaping (PacketEvent) -> Void) throws(Failure) -> any PacketStream {
      requests += 1
      if let failure { throw failure }
      let stream = Stream(handler)
      self.stream = stream
      return stream
    }

    func send(_ event: PacketEvent) { stream?.handler(event) }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let daemon = Daemon()
    let follower: PacketFollower
    var notes: [String?] = []
    var ends: [Failure] = []
    var begins = 0

    init(hasBegun: Bool = true) {
      follower = PacketFollower(scheduler, daemon)
      follower.onNote = { [unowned self] in notes.append($0) }
      follower.onEnd = { [unowned self] in ends.append($0) }
      follower.onBegin = { [unowned self] in begins += 1 }
      follower.begin()
      if hasBegun { daemon.send(.began) }
    }

    func wait(_ seconds: Double) { scheduler.advance(by: .seconds(seconds)) }
  }

  private static let failure = Failure(.unavailable, "beaconmond refuses: no adapter; plug one in")
  private static let refusal = PacketEvent.refused(reason: "no adapter", failure: failure)

  @Test func `a refusal before the first packets ends the command, and is not retried`() {
    let scene = Scene(hasBegun: false)
    scene.daemon.send(Self.refusal)
    scene.wait(600)
    #expect(scene.ends == [Self.failure] && scene.daemon.requests == 1 && scene.begins == 0 && !scene.follower.hasBegun)
  }

  @Test func `a refusal after the first packets is retried every five seconds, and its note ends with the packets`() {
    let scene = Scene()
    scene.daemon.send(Self.refusal)
    scene.wait(4)
    #expect(scene.daemon.requests == 1)
    scene.wait(1)
    scene.daemon.send(Self.refusal)
    scene.wait(5)
    #expect(scene.daemon.requests == 3 && scene.notes == ["beaconmond sends no packets: no adapter; retrying"])
    scene.daemon.send(.began)
    scene.wait(600)
    #expect(scene.notes.count == 2 && scene.notes.last == .some(nil))
    #expect(scene.daemon.requests == 3 && scene.begins == 1 && scene.ends.isEmpty)
  }

  @Test func `packets that end are requested again, and the lost ones of all streams count`() {
    let scene = Scene()
    scene.daemon.stream?.lostPackets = 3
    #expect(scene.follower.lostPackets == 3)
    scene.daemon.send(.ended)
    scene.wait(5)
    #expect(scene.follower.lostPackets == 3)
    scene.daemon.stream?.lostPackets = 4
    #expect(scene.daemon.requests == 2 && scene.follower.lostPackets == 7)
    scene.daemon.send(.ended)
    scene.wait(5)
    #expect(scene.follower.lostPackets == 7)
  }

  @Test func `a daemon that is away gets no request, and one that returns gets it at once`() {
    let scene = Scene()
    scene.daemon.send(.ended)
    scene.follower.presenceChanged(false)
    // The end of the connection may come later than the end of the daemon.
    scene.daemon.send(.ended)
    scene.wait(600)
    #expect(scene.daemon.requests == 1 && scene.notes == ["beaconmond has stopped; waiting for it"])
    scene.follower.presenceChanged(true)
    scene.daemon.send(.began)
    scene.wait(600)
    #expect(scene.daemon.requests == 2 && scene.notes.count == 2 && scene.begins == 1)
  }

  @Test func `the late end of earlier packets causes no other request`() throws {
    let scene = Scene()
    let first = try #require(scene.daemon.stream)
    scene.follower.presenceChanged(false)
    scene.follower.presenceChanged(true)
    scene.daemon.send(.began)
    first.handler(.ended)
    first.handler(Self.refusal)
    scene.wait(600)
    #expect(scene.daemon.requests == 2 && scene.ends.isEmpty && scene.notes.count == 2)
  }

  @Test func `packets that cannot be requested end the command`() {
    let scene = Scene()
    scene.daemon.failure = Self.failure
    scene.daemon.send(.ended)
    scene.wait(5)
    #expect(scene.ends == [Self.failure] && scene.follower.hasBegun)
  }
}
