import FleetMessages
import Instants
import TestSupport
import Testing

@testable import FleetReporting

extension RolloutServiceTests {
  /// The file, which survives a restart.
  final class FakeFile: RolloutStore {
    struct DiskFull: Error {}

    var octets: [UInt8]?
    var isFull = false
    var isReadable = true
    private(set) var writes = 0

    func read() throws -> [UInt8]? {
      if !isReadable { throw DiskFull() }
      return octets
    }

    func write(_ octets: [UInt8]) throws {
      if isFull { throw DiskFull() }
      writes += 1
      self.octets = octets
    }

    var record: RolloutRecord? { octets.flatMap { RolloutRecord($0) } }
  }

  /// A signature is valid if it consists of the first octet of the key.
  struct FakeVerifier: SignatureVerifier {
    func isValid(_ signature: [UInt8], of octets: [UInt8], by key: [UInt8]) throws -> Bool {
      signature.allSatisfy { $0 == key[0] } && octets.starts(with: Array("beaconmon rollout 1\n".utf8))
    }
  }

  /// A device whose daemon uses the file after a reload.
  final class FakeDevice: RolloutDevice {
    let scheduler: ManualScheduler
    let file: FakeFile
    /// The health; nil for a daemon whose health was not reported.
    var severity: HealthSeverity? = .ok
    var invalid: String?
    /// The fault of the configuration without a rollout.
    var ownFault: (any Error)?
    /// Whether the daemon answers, and whether it follows requests to read the configuration.
    var isRunning = true
    var isFollowing = true
    var isBusAway = false
    /// The reason for which the daemon refuses to read the configuration.
    var refusal: String?
    let notifier = NotifierState(version: "1")
    var problem: String?
    private(set) var reloads = 0
    var trialClock: TrialClock { TrialClock(boot: boot, seconds: scheduler.now.microseconds / 1_000_000 + 1000) }
    var boot = "first"
    private(set) var revision: Int64?

    init(_ scheduler: ManualScheduler, _ file: FakeFile) {
      (self.scheduler, self.file) = (scheduler, file)
    }

    func problem(with rollout: SignedRollout) throws -> String? {
      if let ownFault { throw ownFault }
      return invalid
    }

    func reload(_ completion: @escaping (ReloadAnswer) -> Void) {
      reloads += 1
      let isReceived = isRunning && !isBusAway
      if isFollowing, isReceived { restart() }
      let answer = !isReceived ? ReloadAnswer.lost("no answer") : refusal.map { .refused($0) } ?? .done
      scheduler.enqueue { completion(answer) }
    }

    /// Reads the file, as the daemon does when it starts.
    func restart() {
      isRunning = true
      revision = file.record?.rollout(at: trialClock).flatMap { try? Rollout($0.envelope).revision }
    }

    var state: DaemonState {
      guard isRunning else { return DaemonState(unreachable: "no answer") }
      return DaemonState(revision: revision, severity: severity ?? .ok, problems: problem.map { [$0] } ?? [])
    }

    func requestState(_ completion: @escaping (DaemonState) -> Void) {
      scheduler.enqueue { [state] in completion(state) }
    }
  }

  final class Scene {
    let scheduler = ManualScheduler()
    let file = FakeFile()
    let lines = LogLines()
    let device: FakeDevice
    let address: FleetAddress
    private(set) var service: RolloutService
    var key = [UInt8](repeating: 7, count: 32)

    init() throws {
      device = FakeDevice(scheduler, file)
      address = try #require(FleetAddress(site: "berlin", device: "door"))
      service = RolloutService(scheduler, file, FakeVerifier(), device, log: lines.logger)
      service.use(RolloutService.Trust(key: key, address: address))
    }

    /// Starts the notifier again; the daemon goes on.
    func restart() {
      service = RolloutService(scheduler, file, FakeVerifier(), device, log: lines.logger)
      service.use(RolloutService.Trust(key: key, address: address))
      scheduler.settle()
    }

    func payload(_ revision: Int64, audience: [RolloutAudience] = [.site("berlin")], dropIn: String = "", signature: UInt8 = 7) -> [UInt8] {
      let rollout = Rollout(revision: revision, created: 0, audience: audience, dropIn: dropIn)
      return SignedRollout(envelope: rollout.octets, signature: Array(repeating: signature, count: 64)).octets
    }

    func receive(_ payload: [UInt8]) throws {
      // A device reports before it receives a message of the hub.
      if device.severity != nil { service.note(device.state) }
      try service.receive(payload)
      scheduler.settle()
    }

    /// Lets the hub acknowledge a report that was sent at a time, by default now.
    func acknowledge(sent: Instant? = nil) {
      service.acknowledged(DeviceReport(version: "1", revision: revision, rollout: service.report), sent: sent ?? scheduler.now)
      scheduler.settle()
    }

    /// Lets the device work for more than a minute, so that a report which is sent from now on proves it.
    func work() {
      scheduler.advance(by: .seconds(90))
      #expect(service.reportDue != nil)
    }

    /// The revision in the file; 0 if there is none.
    var revision: Int64 { file.record?.current.flatMap { try? Rollout($0.envelope).revision } ?? 0 }

    /// Confirms a rollout.
    func confirm(_ revision: Int64) throws {
      try receive(payload(revision))
      work()
      acknowledge()
      #expect(service.report == RolloutReport(revision: revision, state: .confirmed))
    }

    var state: RolloutReport.State? { service.report?.state }
    var text: String? { service.report?.text }
  }
}
