import Failures
import Instants
import TestSupport
import Testing

@testable import ClientCommands

/// The way of a command to the daemon, on a manual clock.
@Suite struct DaemonWatchTests {
  /// A daemon and a bus whose answers a test gives.
  private final class FakeDaemon: DaemonAccess {
    var isConnected = true
    private(set) var pings: [() -> Void] = []
    private(set) var checks: [(Failure?) -> Void] = []
    private(set) var activations: [(Failure?) -> Void] = []

    func ping(_ completion: @escaping () -> Void) { pings.append(completion) }
    func checkAccess(_ completion: @escaping (Failure?) -> Void) { checks.append(completion) }
    func activate(_ completion: @escaping (Failure?) -> Void) { activations.append(completion) }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let daemon = FakeDaemon()
    let watch: DaemonWatch
    private(set) var starts = 0
    private(set) var presences: [Bool] = []
    private(set) var refusals: [Failure] = []
    private(set) var late: [DaemonWatch.Obstacle] = []

    init(isForSession: Bool = true) {
      watch = DaemonWatch(scheduler, daemon, isForSession: isForSession)
      watch.onReady = { [unowned self] in starts += 1 }
      watch.onPresenceChange = { [unowned self] in presences.append($0) }
      watch.onRefusal = { [unowned self] in refusals.append($0) }
      watch.onLate = { [unowned self] in late.append($0) }
      watch.begin()
    }

    /// Starts the command on a daemon that is there.
    func start() {
      watch.note(isAvailable: true)
      daemon.pings[0]()
    }
  }

  private let failure = Failure(.unavailable, "beaconmond is not running")

  @Test func `a session begins once with the first answer of the daemon`() {
    let scene = Scene()
    scene.watch.note(isAvailable: true)
    #expect(scene.starts == 0 && scene.daemon.checks.isEmpty && scene.daemon.pings.count == 1)
    scene.daemon.pings[0]()
    #expect(scene.starts == 1 && scene.daemon.pings.count == 2, "the next ping watches the daemon")
    scene.watch.note(isAvailable: false)
    scene.watch.note(isAvailable: true)
    #expect(scene.starts == 1 && scene.presences == [false, true] && scene.late.isEmpty)
  }

  @Test func `another command begins if the user has access`() {
    let scene = Scene(isForSession: false)
    scene.watch.note(isAvailable: true)
    #expect(scene.daemon.pings.isEmpty && scene.starts == 0)
    scene.daemon.checks[0](nil)
    #expect(scene.starts == 1 && scene.daemon.pings.count == 1)
    let refused = Scene(isForSession: false)
    refused.watch.note(isAvailable: true)
    refused.daemon.checks[0](failure)
    #expect(refused.starts == 0 && refused.refusals == [failure])
  }

  @Test func `the bus is asked once to start a daemon that does not run`() {
    let scene = Scene()
    scene.watch.note(isAvailable: false)
    scene.watch.note(isAvailable: false)
    #expect(scene.daemon.activations.count == 1 && scene.presences.isEmpty)
    scene.daemon.activations[0](failure)
    #expect(scene.refusals == [failure])
  }

  @Test func `a bus that is not connected is not asked`() {
    let scene = Scene()
    scene.daemon.isConnected = false
    scene.watch.note(isAvailable: false)
    #expect(scene.daemon.activations.isEmpty)
    scene.daemon.isConnected = true
    scene.watch.note(isAvailable: false)
    #expect(scene.daemon.activations.count == 1)
  }

  @Test func `a daemon that starts otherwise outweighs the refusal of the bus`() {
    let scene = Scene()
    scene.watch.note(isAvailable: false)
    scene.start()
    scene.daemon.activations[0](failure)
    #expect(scene.refusals.isEmpty && scene.starts == 1)
  }

  @Test func `the bus, the start of the daemon and the daemon are late after four seconds each`() {
    let bus = Scene()
    bus.daemon.isConnected = false
    bus.scheduler.advance(by: .milliseconds(3999))
    #expect(bus.late.isEmpty)
    bus.scheduler.advance(by: .milliseconds(1))
    #expect(bus.late == [.bus])
    let start = Scene()
    start.watch.note(isAvailable: false)
    start.scheduler.advance(by: .seconds(4))
    #expect(start.late == [.start])
    let daemon = Scene()
    daemon.scheduler.advance(by: .seconds(3))
    daemon.start()
    daemon.scheduler.advance(by: .milliseconds(3999))
    #expect(daemon.late.isEmpty, "the limit begins again with each answer")
    daemon.scheduler.advance(by: .milliseconds(1))
    #expect(daemon.late == [.daemon])
  }

  @Test func `a daemon that is away is not late, and one that is back is pinged`() {
    let scene = Scene()
    scene.start()
    scene.watch.note(isAvailable: false)
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.late.isEmpty && scene.daemon.pings.count == 2)
    scene.watch.note(isAvailable: true)
    #expect(scene.daemon.pings.count == 3)
    scene.scheduler.advance(by: .seconds(4))
    #expect(scene.late == [.daemon])
  }

  @Test func `a command with its result expects no more answers`() {
    let scene = Scene()
    scene.start()
    scene.watch.settle()
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.late.isEmpty && scene.daemon.pings.count == 2)
  }
}
