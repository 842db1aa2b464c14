import FleetMessages
import Instants
import TestSupport
import Testing

@testable import FleetReporting

@Suite struct RolloutServiceTests {
  /// The reason of a rollback without the hub.
  static let unreported = "the hub has acknowledged no report after a minute of health"

  @Test func `a rollout is confirmed when the device has worked with it for a minute and the hub has a later report`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    #expect(scene.service.report == RolloutReport(revision: 3, state: .onTrial))
    #expect(scene.revision == 3)
    #expect((scene.device.reloads, scene.device.revision) == (1, 3))
    scene.scheduler.advance(by: .seconds(65))
    scene.acknowledge()
    scene.scheduler.advance(by: .seconds(300))
    #expect(scene.state == .onTrial)
    scene.acknowledge()
    #expect(scene.state == .confirmed)
    scene.scheduler.advance(by: .seconds(3600))
    scene.restart()
    #expect((scene.state, scene.revision, scene.device.reloads) == (.confirmed, 3, 1))
  }

  @Test func `a device that stays without the hub for ten minutes returns to the former rollout`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    #expect(scene.device.revision == 4)
    scene.scheduler.advance(by: .seconds(580))
    #expect(scene.state == .onTrial)
    scene.scheduler.advance(by: .seconds(40))
    #expect(scene.service.report == RolloutReport(revision: 4, state: .rolledBack, text: Self.unreported))
    #expect((scene.revision, scene.device.revision) == (3, 3))
  }

  @Test func `an acknowledged report about the rollout before does not confirm`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    let former = DeviceReport(version: "1", revision: scene.revision, rollout: scene.service.report)
    try scene.receive(scene.payload(4))
    scene.work()
    scene.service.acknowledged(former, sent: scene.scheduler.now)
    scene.scheduler.advance(by: .seconds(700))
    #expect(scene.state == .rolledBack)
  }

  @Test(arguments: [true, false])
  func `a daemon that gets worse, or ends, makes the device return`(isRunning: Bool) throws {
    let scene = try Scene()
    scene.device.severity = .degraded
    try scene.receive(scene.payload(3))
    scene.scheduler.advance(by: .seconds(50))
    (scene.device.severity, scene.device.isRunning, scene.device.problem) = (.failed, isRunning, "no beacon\ncan be received")
    scene.scheduler.advance(by: .seconds(100))
    scene.acknowledge()
    scene.scheduler.advance(by: .seconds(480))
    #expect(scene.state == .rolledBack)
    #expect(scene.text == (isRunning ? "the daemon is unhealthy: no beacon can be received" : "the daemon does not answer"))
    #expect(scene.revision == 0)
    // A daemon that hung has the rolled-back configuration, and reads another one when it answers again.
    (scene.device.severity, scene.device.isRunning) = (.degraded, true)
    scene.scheduler.advance(by: .seconds(130))
    #expect(scene.device.revision == nil)
  }

  @Test func `a problem that the device had before does not prevent the confirmation`() throws {
    let scene = try Scene()
    scene.device.severity = .degraded
    try scene.confirm(3)
  }

  @Test func `a daemon that did not read the configuration is asked again each minute`() throws {
    let scene = try Scene()
    scene.device.isFollowing = false
    try scene.receive(scene.payload(3))
    scene.scheduler.advance(by: .seconds(130))
    scene.acknowledge()
    #expect(scene.device.reloads == 3)
    scene.device.isFollowing = true
    scene.scheduler.advance(by: .seconds(130))
    scene.acknowledge()
    #expect(scene.state == .confirmed)
  }

  @Test func `a request that the bus has lost is repeated at the next check`() throws {
    let scene = try Scene()
    scene.device.isBusAway = true
    try scene.receive(scene.payload(3))
    scene.device.isBusAway = false
    scene.scheduler.advance(by: .seconds(15))
    #expect((scene.device.reloads, scene.device.revision) == (2, 3))
  }

  @Test func `a request that the daemon refuses is repeated after a minute, and each answer is logged`() throws {
    let scene = try Scene()
    (scene.device.isFollowing, scene.device.refusal) = (false, "line 3")
    try scene.receive(scene.payload(3))
    scene.scheduler.advance(by: .seconds(55))
    #expect(scene.device.reloads == 1)
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.device.reloads == 2)
    #expect(scene.lines.all.filter { $0 == "the daemon has not read the configuration again: line 3" }.count == 2)
  }

  @Test func `a trial continues after a restart of the notifier, and ends after ten minutes in all`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.scheduler.advance(by: .seconds(300))
    scene.restart()
    #expect(scene.service.report == RolloutReport(revision: 3, state: .onTrial))
    scene.scheduler.advance(by: .seconds(200))
    #expect(scene.state == .onTrial)
    // The start has cost a minute.
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.state == .rolledBack)
    scene.restart()
    #expect((scene.state, scene.revision) == (.rolledBack, 0))
  }

  @Test func `a notifier that is started again and again ends the trial`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    for _ in 0..<9 { scene.restart() }
    #expect(scene.state == .onTrial)
    scene.restart()
    #expect(scene.state == .rolledBack)
    #expect(scene.text == "the notifier was started again too often")
    #expect(scene.device.revision == nil)
  }

  @Test func `after a power cut at any write, the file has one state or the other`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    let record = try #require(scene.file.record)
    #expect(try Rollout(#require(record.former).envelope).revision == 3)
    #expect(try Rollout(#require(record.current).envelope).revision == 4)
    #expect(record.trial != nil)
    scene.restart()
    scene.work()
    scene.acknowledge()
    #expect(scene.service.report == RolloutReport(revision: 4, state: .confirmed))
    #expect(scene.file.record?.former == nil)
  }

  @Test func `a rollout on trial is confirmed although an invalid one has come meanwhile`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.device.invalid = "rollout 4:1: web: must not be in a rollout"
    try scene.receive(scene.payload(4))
    #expect(scene.service.report == RolloutReport(revision: 4, state: .refused, text: "rollout 4:1: web: must not be in a rollout"))
    scene.work()
    scene.acknowledge()
    #expect(scene.service.report == RolloutReport(revision: 3, state: .confirmed))
    #expect(scene.revision == 3)
  }

  @Test func `the health during a rollout that does not work is not the reference for the next rollout`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.device.severity = .failed
    try scene.receive(scene.payload(4))
    scene.scheduler.advance(by: .seconds(90))
    scene.acknowledge()
    scene.scheduler.advance(by: .seconds(700))
    #expect((scene.state, scene.revision) == (.rolledBack, 0))
  }

  @Test(arguments: [(HealthSeverity.degraded, RolloutReport.State.confirmed), (.failed, .rolledBack)])
  func `without a known health before, a daemon that fails makes the device return`(now: HealthSeverity, end: RolloutReport.State) throws {
    let scene = try Scene()
    scene.device.severity = nil
    try scene.receive(scene.payload(3))
    scene.device.severity = now
    scene.scheduler.advance(by: .seconds(90))
    scene.acknowledge()
    scene.scheduler.advance(by: .seconds(700))
    #expect(scene.state == end)
  }

  @Test func `a daemon that does not answer is not a reference for the health before a rollout`() throws {
    let scene = try Scene()
    scene.device.severity = nil
    scene.service.note(DaemonState(revision: nil, severity: .ok))
    scene.service.note(DaemonState(unreachable: "no answer"))
    try scene.receive(scene.payload(3))
    scene.device.severity = .degraded
    scene.scheduler.advance(by: .seconds(700))
    #expect((scene.state, scene.text) == (.rolledBack, "the daemon is unhealthy"))
  }

  @Test func `the health during a rollout that is rolled back is not the reference for the next rollout`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.device.severity = .failed
    scene.service.note(scene.device.state)
    scene.device.isFollowing = false
    scene.scheduler.advance(by: .seconds(610))
    #expect((scene.state, scene.device.revision) == (.rolledBack, 3))
    // The daemon still uses the rollout when it is asked for the next report.
    scene.device.isFollowing = true
    try scene.receive(scene.payload(4))
    scene.scheduler.advance(by: .seconds(90))
    scene.acknowledge()
    scene.scheduler.advance(by: .seconds(700))
    #expect((scene.service.report?.revision, scene.state, scene.text) == (4, .rolledBack, "the daemon is unhealthy"))
  }

  @Test func `a daemon that has not followed the end of a trial is asked again after a restart of the notifier`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    scene.device.isFollowing = false
    scene.scheduler.advance(by: .seconds(610))
    #expect((scene.state, scene.revision, scene.device.revision) == (.rolledBack, 3, 4))
    scene.restart()
    scene.device.isFollowing = true
    scene.scheduler.advance(by: .seconds(70))
    #expect(scene.device.revision == 3)
  }

  // MARK: The disk

  @Test func `a full disk makes the hub repeat the rollout`() throws {
    let scene = try Scene()
    scene.file.isFull = true
    #expect(throws: RolloutRefusal.self) { try scene.receive(scene.payload(3)) }
    #expect((scene.service.report, scene.device.reloads) == (nil, 0))
    scene.file.isFull = false
    try scene.receive(scene.payload(3))
    #expect(scene.state == .onTrial)
  }

  @Test func `the elapsed time of a trial is written once a minute`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    let writes = scene.file.writes
    for minute in 1...3 {
      scene.scheduler.advance(by: .seconds(59))
      #expect(scene.file.writes == writes + minute - 1)
      scene.scheduler.advance(by: .seconds(1))
      #expect(scene.file.writes == writes + minute)
    }
  }

  @Test func `a rollback that cannot be written is tried again`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.file.isFull = true
    scene.scheduler.advance(by: .seconds(700))
    #expect((scene.state, scene.revision) == (.onTrial, 3))
    scene.file.isFull = false
    scene.scheduler.advance(by: .seconds(20))
    #expect((scene.state, scene.device.revision) == (.rolledBack, nil))
  }

  @Test func `a damaged file means no rollout, and a later rollout replaces it`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    let whole = try #require(scene.file.octets)
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 0x10
      #expect(RolloutRecord(damaged) == nil)
      #expect(RolloutRecord(Array(whole.prefix(index))) == nil)
    }
    scene.file.octets = Array(whole.dropLast())
    scene.restart()
    #expect((scene.service.report, scene.revision) == (nil, 0))
    #expect(scene.lines.all.contains { $0.contains("damaged") })
    try scene.confirm(4)
  }
}
