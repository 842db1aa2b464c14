import FleetMessages
import Instants
import Status
import TestSupport
import Testing

@testable import FleetReporting

/// The end of a trial that the notifier does not see, and the state for people.
extension RolloutServiceTests {
  @Test func `a trial ends without the notifier: the daemon uses the former rollout a minute later`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    let record = try #require(scene.file.record)
    var clock = scene.device.trialClock
    clock.seconds += 659
    #expect(record.isCurrent(at: clock) && record.rollout(at: clock) == record.current)
    clock.seconds += 1
    #expect(!record.isCurrent(at: clock) && record.rollout(at: clock) == record.former)
  }

  @Test func `after a boot, a rollout on trial is not used before the notifier continues the trial`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    scene.scheduler.advance(by: .seconds(100))
    scene.device.boot = "second"
    scene.device.restart()
    #expect(scene.device.revision == 3)
    scene.restart()
    scene.scheduler.advance(by: .seconds(15))
    #expect((scene.state, scene.device.revision) == (.onTrial, 4))
    scene.work()
    scene.acknowledge()
    #expect((scene.state, scene.device.revision) == (.confirmed, 4))
    scene.device.boot = "third"
    scene.device.restart()
    #expect(scene.device.revision == 4)
  }

  @Test func `without the id of the boot, an end that is far ahead belongs to an earlier boot`() throws {
    let scene = try Scene()
    scene.device.boot = ""
    try scene.receive(scene.payload(4))
    let record = try #require(scene.file.record)
    #expect(record.isCurrent(at: scene.device.trialClock))
    #expect(!record.isCurrent(at: TrialClock(boot: "second", seconds: 20)))
  }

  @Test func `a hub that is removed from the configuration ends the trial`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    scene.work()
    scene.service.use(nil)
    scene.scheduler.settle()
    #expect(scene.service.report == RolloutReport(revision: 4, state: .rolledBack, text: "the configuration has no rollout-key any more"))
    #expect((scene.revision, scene.device.revision) == (3, 3))
    scene.service.use(RolloutService.Trust(key: scene.key, address: scene.address))
    scene.scheduler.advance(by: .seconds(700))
    #expect((scene.state, scene.revision) == (.rolledBack, 3))
  }

  @Test func `a trial that a full disk keeps from its end is not confirmed, and ends when there is space`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    scene.work()
    scene.file.isFull = true
    scene.service.use(nil)
    scene.acknowledge()
    scene.scheduler.advance(by: .seconds(90))
    #expect((scene.state, scene.revision) == (.onTrial, 4))
    scene.file.isFull = false
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.service.report == RolloutReport(revision: 4, state: .rolledBack, text: "the configuration has no rollout-key any more"))
    #expect((scene.revision, scene.device.revision) == (3, 3))
  }

  @Test func `the state for people has the start of the trial and the reason of its end`() throws {
    let scene = try Scene()
    #expect(scene.service.status == nil)
    let begin = scene.scheduler.wallClock
    try scene.receive(scene.payload(3))
    scene.scheduler.advance(by: .seconds(125))
    #expect(scene.service.status == HubStatus.Rollout(revision: 3, state: .onTrial, since: begin))
    scene.scheduler.advance(by: .seconds(600))
    #expect(
      scene.service.status == HubStatus.Rollout(revision: 3, state: .rolledBack, reason: Self.unreported))
  }
}
