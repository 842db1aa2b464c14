import ClientCommands
import Events
import Failures
import Instants
import Testing

@Suite struct JournalFollowingTests {
  private final class Output: EventOutput {
    var isClosed = false
    private(set) var log: [String] = []

    func show(_ events: [Event]) { log += events.map { "event \($0.sequence)" } }

    func note(_ text: String) { log.append(text) }
  }

  private final class Scene {
    let output = Output()
    let following: JournalFollowing
    private(set) var ends: [Failure?] = []
    private(set) var caughtUpCount = 0

    init(_ regions: [String] = [], since: Instant? = nil, isContinuous: Bool = false) {
      following = JournalFollowing(.init(since: since, regions: regions), isContinuous: isContinuous, output: output)
      following.onEnd = { [unowned self] in ends.append($0) }
      following.onCaughtUp = { [unowned self] in caughtUpCount += 1 }
    }
  }

  private static let unknown = "the journal has no region \"galery\"; `beaconmon status` lists the configured regions"

  private static func event(_ sequence: UInt64, _ region: String = "hall", seconds: Double = 0) -> Event {
    Event(sequence: sequence, kind: .enter, region: region, time: Instant(microseconds: 1_800_000_000_000_000) + .seconds(seconds))
  }

  @Test func `the command ends after the events of the journal`() {
    let scene = Scene()
    scene.following.take([Self.event(1), Self.event(2, "shop")])
    #expect(scene.ends.isEmpty)
    scene.following.noteCaughtUp()
    #expect(scene.output.log == ["event 1", "event 2"] && scene.ends == [nil] && scene.caughtUpCount == 0)
  }

  @Test func `new events come after the earlier ones`() {
    let scene = Scene(isContinuous: true)
    scene.following.take([Self.event(1)])
    scene.following.noteCaughtUp()
    scene.following.take([Self.event(2)])
    #expect(scene.output.log == ["event 1", "event 2"] && scene.ends.isEmpty && scene.caughtUpCount == 1)
  }

  @Test func `only events of the selected regions since the time are shown`() {
    let event = Self.event(1)
    let scene = Scene(["hall"], since: event.time)
    scene.following.take([Self.event(0, seconds: -1), event, Self.event(2, "shop")])
    scene.following.noteCaughtUp()
    #expect(scene.output.log == ["event 1"] && scene.ends == [nil])
  }

  @Test func `a region that the journal does not have is a failure`() {
    let scene = Scene(["hall", "galery"])
    scene.following.take([Self.event(1)])
    scene.following.noteCaughtUp()
    #expect(scene.ends == [Failure(.dataError, Self.unknown)])
  }

  @Test func `a region whose events are all too old is known`() {
    let scene = Scene(["hall"], since: Self.event(1, seconds: 60).time)
    scene.following.take([Self.event(1)])
    scene.following.noteCaughtUp()
    #expect(scene.output.log.isEmpty && scene.ends == [nil])
  }

  @Test func `the command waits for the first event of an unknown region, and states it once`() {
    let scene = Scene(["galery"], isContinuous: true)
    scene.following.noteCaughtUp()
    scene.following.noteCaughtUp()
    #expect(scene.output.log == ["\(Self.unknown); waiting for its first event"] && scene.ends.isEmpty && scene.caughtUpCount == 2)
  }

  @Test func `damaged events of any region are shown, and are a failure after the last event`() {
    let one = Scene(["hall"])
    one.following.take([Event.damaged(1...1, .unreadable), Self.event(2)])
    one.following.noteCaughtUp()
    #expect(one.output.log == ["event 1", "event 2"])
    #expect(one.ends == [Failure(.dataError, "1 event is damaged or lost and cannot be shown; see `beaconmon status`")])
    let several = Scene(["galery"])
    several.following.take([.damaged(1...2, .unreadable)])
    several.following.take([.damaged(3...3, .missing)])
    several.following.noteCaughtUp()
    let damage = "3 events are damaged or lost and cannot be shown; see `beaconmon status`"
    #expect(several.output.log == ["event 2", "event 3", "\(Self.unknown)\n\(damage)"])
    #expect(several.ends == [Failure(.dataError, damage)])
  }

  @Test func `a command that follows waits for a daemon that has stopped`() {
    let scene = Scene(isContinuous: true)
    scene.following.noteCaughtUp()
    scene.following.note(isAvailable: false)
    scene.following.note(isAvailable: true)
    scene.following.take([Self.event(1)])
    #expect(scene.output.log == ["beaconmond has stopped; waiting for it", "beaconmond is back", "event 1"] && scene.ends.isEmpty)
  }

  @Test func `a command that does not follow ends with the daemon`() {
    let scene = Scene()
    scene.following.note(isAvailable: true)
    #expect(scene.ends.isEmpty && scene.output.log.isEmpty)
    scene.following.note(isAvailable: false)
    #expect(scene.ends == [Failure(.unavailable, "beaconmond has stopped; start it again")])
  }

  @Test func `a daemon that fails to answer ends the command`() {
    let scene = Scene(isContinuous: true)
    scene.following.fail("the daemon does not answer")
    #expect(scene.ends == [Failure(.unavailable, "the daemon does not answer")])
  }

  @Test func `a reader that closes the output ends the command`() {
    let scene = Scene(isContinuous: true)
    scene.following.take([Self.event(1)])
    #expect(scene.ends.isEmpty)
    scene.output.isClosed = true
    scene.following.take([Self.event(2)])
    #expect(scene.ends == [nil])
  }
}
