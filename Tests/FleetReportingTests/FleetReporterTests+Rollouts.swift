import FleetMessages
import Instants
import TestSupport
import Testing

@testable import FleetReporting

/// The reports that confirm a rollout on trial.
extension FleetReporterTests {
  /// The daemon of a device that uses each rollout at once, and its file.
  private final class RolloutParts: RolloutDevice, RolloutStore, SignatureVerifier {
    let scheduler: ManualScheduler
    var octets: [UInt8]?
    let notifier = NotifierState(version: "1")
    let trialClock = TrialClock()

    init(_ scheduler: ManualScheduler) {
      self.scheduler = scheduler
    }

    private var revision: Int64? { octets.flatMap { RolloutRecord($0) }?.current.flatMap { try? Rollout($0.envelope).revision } }

    func read() -> [UInt8]? { octets }
    func write(_ octets: [UInt8]) { self.octets = octets }
    func isValid(_ signature: [UInt8], of octets: [UInt8], by key: [UInt8]) -> Bool { true }
    func problem(with rollout: SignedRollout) -> String? { nil }
    func reload(_ completion: @escaping (ReloadAnswer) -> Void) { scheduler.enqueue { completion(.done) } }

    func requestState(_ completion: @escaping (DaemonState) -> Void) {
      scheduler.enqueue { [revision] in completion(DaemonState(revision: revision, severity: .ok)) }
    }
  }

  /// A device that has a rollout on trial, and whose connection begins.
  private func tryRollout() throws -> (scene: Scene, rollouts: RolloutService) {
    let scheduler = ManualScheduler()
    let parts = RolloutParts(scheduler)
    let rollouts = RolloutService(scheduler, parts, parts, parts, log: LogLines().logger)
    let scene = try Scene(rollouts: rollouts, scheduler)
    scene.hub.connect()
    scheduler.settle()
    let rollout = Rollout(revision: 3, created: 0, audience: [.site("berlin")], dropIn: "")
    let signed = SignedRollout(envelope: rollout.octets, signature: Array(repeating: 7, count: 64))
    scene.hub.onMessage(HubMessage(number: 1, kind: .rollout, payload: signed.octets))
    scene.device.notifier.revision = 3
    scheduler.settle()
    #expect(rollouts.report?.state == .onTrial)
    return (scene, rollouts)
  }

  private func states(_ scene: Scene) -> [RolloutReport.State?] {
    scene.messages(.reports).map { if case .report(let report) = $0.body { report.rollout?.state } else { nil } }
  }

  @Test func `after a minute of health with a rollout, a report without a change is sent, and confirms it`() throws {
    let (scene, rollouts) = try tryRollout()
    #expect(states(scene) == [nil, .onTrial])
    scene.scheduler.advance(by: .seconds(65))
    #expect(states(scene) == [nil, .onTrial])
    scene.scheduler.advance(by: .seconds(10))
    #expect(rollouts.report?.state == .confirmed)
    #expect(states(scene) == [nil, .onTrial, .onTrial, .confirmed])
  }

  @Test func `a rollout on trial ends when the connection is lost after the first report`() throws {
    let (scene, rollouts) = try tryRollout()
    scene.hub.disconnect()
    scene.scheduler.advance(by: .seconds(590))
    #expect(rollouts.report?.state == .onTrial)
    scene.scheduler.advance(by: .seconds(10))
    #expect(rollouts.report?.state == .rolledBack)
    scene.hub.connect()
    scene.scheduler.settle()
    #expect(states(scene) == [nil, .onTrial, .rolledBack])
  }

  @Test func `a report that is lost with the connection is sent again by the next one`() throws {
    let (scene, rollouts) = try tryRollout()
    scene.hub.answers = false
    scene.scheduler.advance(by: .seconds(200))
    #expect(scene.hub.pending.count == 1)
    #expect(rollouts.report?.state == .onTrial)
    scene.hub.disconnect()
    scene.hub.answers = true
    scene.scheduler.advance(by: .seconds(30))
    scene.hub.connect()
    scene.scheduler.settle()
    #expect(rollouts.report?.state == .confirmed)
  }

  @Test func `without an acknowledgement, a trial sends one report in five minutes, and a late one confirms`() throws {
    let (scene, rollouts) = try tryRollout()
    scene.hub.answers = false
    scene.scheduler.advance(by: .seconds(350))
    #expect(scene.hub.pending.count == 1)
    scene.scheduler.advance(by: .seconds(100))
    #expect(scene.hub.pending.count == 2)
    #expect(rollouts.report?.state == .onTrial)
    scene.hub.acknowledge(1)
    scene.scheduler.settle()
    #expect(rollouts.report?.state == .confirmed)
  }
}
