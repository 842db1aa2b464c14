import Diagnosis
import Instants
import Records
import Status
import TestSupport
import Testing

@testable import ClientCommands

/// The questions of doctor, on a manual clock.
@Suite struct ExaminationTests {
  /// A bus with the daemon and bluetoothd, whose answers a test gives.
  private final class FakeBus: ExaminedBus, ExaminedDaemon, ExaminedBluetoothd {
    private(set) var handler: (String?) -> Void = { _ in }
    private(set) var names: [String] = []
    private(set) var owner: (Result<String?, ExaminationFailure>) -> Void = { _ in }
    private(set) var process: (UInt32?) -> Void = { _ in }
    private(set) var access: ((ExaminationFailure?) -> Void)?
    private(set) var status: ((Result<Record, ExaminationFailure>) -> Void)?
    private(set) var adapters: ((Result<[ListedAdapter], ExaminationFailure>) -> Void)?

    func connect(_ handler: @escaping (String?) -> Void) { self.handler = handler }
    func requestOwner(of name: String, _ completion: @escaping (Result<String?, ExaminationFailure>) -> Void) {
      names.append(name)
      owner = completion
    }
    func requestProcess(of owner: String, _ completion: @escaping (UInt32?) -> Void) { process = completion }
    func checkAccess(_ completion: @escaping (ExaminationFailure?) -> Void) { access = completion }
    func requestStatus(_ completion: @escaping (Result<Record, ExaminationFailure>) -> Void) { status = completion }
    func requestAdapters(of owner: String, _ completion: @escaping (Result<[ListedAdapter], ExaminationFailure>) -> Void) {
      adapters = completion
    }
  }

  private struct FakeProcesses: ExaminedProcesses {
    func arguments(of process: UInt32) -> [String]? { ["bluetoothd", "\(process)"] }
    func capabilities(of process: UInt32) -> Probed<UInt64?> { .found(UInt64(process)) }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let round: QuestionRound
    let bus = FakeBus()
    let daemon: DaemonExamination
    let bluetoothd: BluetoothdExamination

    init() {
      round = QuestionRound(scheduler)
      daemon = DaemonExamination(round, bus, bus, FakeProcesses(), name: "org.example")
      bluetoothd = BluetoothdExamination(round, bus, bus, FakeProcesses(), isInstalled: true)
    }

    /// Examines the daemon, or bluetoothd, on a bus that reports an owner.
    func find(_ begin: () -> Void, owner: Result<String?, ExaminationFailure> = .success(":1.5")) {
      begin()
      bus.handler(nil)
      bus.owner(owner)
    }

    /// The failure of a probe; nil if it has found a value.
    func failure(of probe: Probed<some Any>) -> String? { if case .failed(let reason) = probe { reason } else { nil } }
  }

  // MARK: - Rounds

  @Test func `a round is complete with its last answer, and a late question ends by itself`() {
    let scheduler = ManualScheduler()
    let round = QuestionRound(scheduler)
    var (late, completions) = ([String](), 0)
    round.onComplete = { completions += 1 }
    let first = round.ask { late.append("first") }
    _ = round.ask { late.append("second") }
    first()
    first()
    scheduler.advance(by: .seconds(3.9))
    #expect(!round.isComplete && late.isEmpty)
    scheduler.advance(by: .seconds(0.2))
    #expect(round.isComplete && late == ["second"] && completions == 1)
  }

  // MARK: - The daemon

  @Test func `a bus that refuses or ends the connection at once is the reason, and the question ends`() {
    let scene = Scene()
    scene.daemon.begin()
    #expect(scene.daemon.presence == .noBus("the bus does not respond"))
    scene.bus.handler("no such file")
    #expect(scene.daemon.presence == .noBus("no such file") && scene.round.isComplete)
    #expect(scene.daemon.capabilities.value == .some(nil))
  }

  @Test func `a bus that ends the connection later ends the question, and the reason is kept`() {
    let scene = Scene()
    scene.daemon.begin()
    scene.bus.handler(nil)
    #expect(scene.daemon.presence == .silent("no answer from the bus within 4s") && scene.bus.names == ["org.example"])
    scene.bus.handler("gone")
    #expect(scene.daemon.presence == .silent("no answer from the bus within 4s") && scene.round.isComplete)
  }

  @Test func `a name without an owner is an absent daemon, and an error of the bus a silent one`() {
    let absent = Scene()
    absent.find(absent.daemon.begin, owner: .success(nil))
    #expect(absent.daemon.presence == .absent && absent.round.isComplete && absent.bus.access == nil)
    let silent = Scene()
    silent.find(silent.daemon.begin, owner: .failure(ExaminationFailure("NoReply")))
    #expect(silent.daemon.presence == .silent("NoReply") && silent.round.isComplete)
  }

  @Test func `a daemon that answers has a status, and the capabilities of its process`() {
    let scene = Scene()
    scene.find(scene.daemon.begin)
    #expect(scene.daemon.presence == .silent("no answer within 4s"))
    #expect(scene.failure(of: scene.daemon.capabilities) == "the bus does not report the process of the daemon")
    scene.bus.process(7)
    #expect(scene.daemon.capabilities.value == 7)
    scene.bus.access?(nil)
    scene.bus.status?(.success(Record(["version": .text("1.2")])))
    #expect(scene.daemon.presence == .answering && scene.round.isComplete && scene.daemon.status != nil)
    let facts = scene.daemon.facts(hasPolicy: false)
    #expect(facts.status?.version == "1.2" && !facts.hasPolicy)
  }

  @Test(arguments: [true, false])
  func `a refusal is another state than silence, at the first question and at the second`(isRefusal: Bool) {
    let failure = ExaminationFailure("denied", isRefusal: isRefusal)
    let expected: DaemonFacts.Presence = isRefusal ? .refused : .silent("denied")
    let first = Scene()
    first.find(first.daemon.begin)
    first.bus.access?(failure)
    #expect(first.daemon.presence == expected && first.bus.status == nil && first.daemon.facts(hasPolicy: true).status == nil)
    let second = Scene()
    second.find(second.daemon.begin)
    second.bus.access?(nil)
    second.bus.status?(.failure(failure))
    #expect(second.daemon.presence == expected)
    second.bus.process(nil)
    #expect(second.round.isComplete)
  }

  // MARK: - bluetoothd

  @Test func `a system bus that cannot be reached hides bluetoothd and its adapters`() {
    let scene = Scene()
    scene.bluetoothd.begin()
    #expect(scene.failure(of: scene.bluetoothd.facts) == "the system bus does not respond")
    scene.bus.handler("no such file")
    #expect(scene.failure(of: scene.bluetoothd.facts) == "no such file")
    #expect(scene.failure(of: scene.bluetoothd.adapters) == "no such file" && scene.round.isComplete)
    let silent = Scene()
    silent.find(silent.bluetoothd.begin, owner: .failure(ExaminationFailure("NoReply")))
    #expect(silent.failure(of: silent.bluetoothd.facts) == "the system bus does not report whether bluetoothd runs")
  }

  @Test func `bluetoothd that does not run has a version, and no adapters`() {
    let scene = Scene()
    scene.bluetoothd.version = "5.66"
    scene.find(scene.bluetoothd.begin, owner: .success(nil))
    #expect(scene.bluetoothd.facts.value == BluetoothdFacts(isRunning: false, version: "5.66"))
    #expect(scene.bluetoothd.adapters.value == .some(nil) && scene.round.isComplete && scene.bus.adapters == nil)
  }

  @Test func `bluetoothd that runs has arguments and adapters, or the reason why it lists none`() {
    let scene = Scene()
    scene.find(scene.bluetoothd.begin)
    #expect(scene.bus.names == ["org.bluez"])
    #expect(scene.failure(of: scene.bluetoothd.adapters) == "no answer within 4s")
    scene.bus.process(9)
    #expect(scene.bluetoothd.facts.value == BluetoothdFacts(isRunning: true, arguments: ["bluetoothd", "9"]))
    scene.bus.adapters?(.success([ListedAdapter(name: "hci0")]))
    #expect(scene.bluetoothd.adapters.value == [ListedAdapter(name: "hci0")] && scene.round.isComplete)
    let other = Scene()
    other.find(other.bluetoothd.begin)
    other.bus.adapters?(.failure(ExaminationFailure("NoReply")))
    #expect(other.failure(of: other.bluetoothd.adapters) == "NoReply" && other.round.isComplete)
  }
}
