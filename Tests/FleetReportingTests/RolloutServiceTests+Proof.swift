import FleetMessages
import Instants
import TestSupport
import Testing

@testable import FleetReporting

/// The proof that ends a trial: an acknowledged report that the device has sent after a minute of health.
extension RolloutServiceTests {
  @Test func `a device that loses the hub after its first report returns after ten minutes`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    scene.scheduler.advance(by: .seconds(15))
    scene.acknowledge()
    scene.scheduler.advance(by: .seconds(580))
    #expect(scene.state == .onTrial)
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.service.report == RolloutReport(revision: 4, state: .rolledBack, text: Self.unreported))
    #expect((scene.revision, scene.device.revision) == (3, 3))
  }

  @Test func `a report that was sent before the minute of health is not proof, however late and often it is acknowledged`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.scheduler.advance(by: .seconds(50))
    let early = scene.scheduler.now
    for _ in 0..<5 {
      scene.acknowledge(sent: early)
      scene.scheduler.advance(by: .seconds(100))
      scene.acknowledge(sent: early)
      #expect(scene.state == .onTrial)
    }
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.text == Self.unreported)
  }

  @Test func `the acknowledgement of a later report confirms at once, even in the last second, and further ones change nothing`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.work()
    let sent = scene.scheduler.now
    scene.scheduler.advance(by: .seconds(509))
    scene.acknowledge(sent: sent)
    #expect(scene.service.report == RolloutReport(revision: 3, state: .confirmed))
    let writes = scene.file.writes
    scene.acknowledge(sent: sent)
    scene.scheduler.advance(by: .seconds(700))
    #expect((scene.state, scene.revision, scene.file.writes) == (.confirmed, 3, writes))
  }

  @Test func `an acknowledgement after the end of the trial does not bring the rollout back`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.work()
    let sent = scene.scheduler.now
    scene.scheduler.advance(by: .seconds(509))
    // The next look comes after the end.
    scene.device.isRunning = false
    scene.acknowledge(sent: sent)
    scene.device.isRunning = true
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.service.report == RolloutReport(revision: 3, state: .rolledBack, text: "the daemon does not answer"))
    scene.acknowledge()
    scene.scheduler.advance(by: .seconds(90))
    #expect((scene.state, scene.revision, scene.service.reportDue) == (.rolledBack, 0, nil))
  }

  @Test func `a daemon that fails between the report and its acknowledgement prevents the confirmation`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.work()
    let sent = scene.scheduler.now
    scene.device.severity = .failed
    scene.acknowledge(sent: sent)
    #expect((scene.state, scene.service.reportDue) == (.onTrial, nil))
    // A report from before the failure does not prove the health after it.
    scene.device.severity = .ok
    scene.scheduler.advance(by: .seconds(50))
    scene.acknowledge(sent: sent)
    scene.work()
    scene.acknowledge(sent: sent)
    #expect(scene.state == .onTrial)
    scene.acknowledge()
    #expect(scene.state == .confirmed)
  }

  @Test func `one report is due after each minute of health, even if no report is ever acknowledged`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    var requests = 0
    scene.service.onChange = { requests += 1 }
    scene.scheduler.advance(by: .seconds(65))
    #expect((requests, scene.service.reportDue) == (0, nil))
    scene.scheduler.advance(by: .seconds(300))
    #expect(requests == 1)
    #expect(scene.service.reportDue.map { scene.scheduler.now - $0 > .seconds(280) } == true)
    scene.device.severity = .failed
    scene.scheduler.advance(by: .seconds(15))
    #expect(scene.service.reportDue == nil)
    scene.device.severity = .ok
    scene.scheduler.advance(by: .seconds(90))
    #expect((requests, scene.state) == (2, .onTrial))
    scene.scheduler.advance(by: .seconds(300))
    #expect((requests, scene.text, scene.service.reportDue) == (3, Self.unreported, nil))
  }

  @Test func `settings of the clock neither confirm a rollout nor end its trial`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    scene.scheduler.advance(by: .seconds(15))
    scene.acknowledge()
    for jump in [86_400, -30 * 365 * 86_400, 40 * 365 * 86_400] {
      scene.scheduler.wallClock = scene.scheduler.wallClock + .seconds(Double(jump))
      scene.scheduler.advance(by: .seconds(100))
      #expect(scene.state == .onTrial)
    }
    scene.acknowledge()
    #expect(scene.state == .confirmed)
  }

  // MARK: Restarts

  @Test(arguments: ["first", "second"])
  func `a restart, or a power cut, begins the minute of health again`(boot: String) throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    scene.work()
    let former = scene.scheduler.now
    scene.device.boot = boot
    scene.device.restart()
    scene.restart()
    // The connection begins with a report.
    scene.acknowledge()
    scene.work()
    scene.acknowledge(sent: former)
    #expect(scene.state == .onTrial)
    scene.acknowledge()
    #expect((scene.state, scene.device.revision) == (.confirmed, 4))
  }

  @Test func `a device that loses the hub after a power cut returns after ten minutes in all`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    scene.scheduler.advance(by: .seconds(300))
    scene.device.boot = "second"
    scene.device.restart()
    scene.restart()
    scene.acknowledge()
    // The start has cost a minute.
    scene.scheduler.advance(by: .seconds(220))
    #expect((scene.state, scene.device.revision) == (.onTrial, 4))
    scene.scheduler.advance(by: .seconds(40))
    #expect((scene.state, scene.text) == (.rolledBack, Self.unreported))
    #expect((scene.revision, scene.device.revision) == (3, 3))
  }

  // MARK: An upgrade

  /// The file of a trial that a version has written which confirmed a rollout after any report.
  private static let former =
    Array("beaconmon rollouts 1\n".utf8)
    + octets("a9901418fbf68b6210a9dd34fc30ab7e50953f32af565cba205a3f008b2ef92a")
    + octets("87585383014e8601040081666265726c696e60805840" + String(repeating: "07", count: 64))
    + octets("f6840000656669727374190abe5820" + String(repeating: "07", count: 32))
    + octets("04582072921db031f01a20e5add7b095bdd0312d68077add2f06b590175fa972d0274083040060")

  private static func octets(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
  }

  @Test(arguments: [true, false])
  func `a trial of a former version continues, and needs a report after a minute of health as well`(reachesHub: Bool) throws {
    let scene = try Scene()
    scene.file.octets = Self.former
    #expect(scene.file.record?.octets == Self.former)
    scene.device.restart()
    scene.restart()
    scene.acknowledge()
    scene.work()
    #expect((scene.state, scene.device.revision) == (.onTrial, 4))
    if reachesHub { scene.acknowledge() }
    scene.scheduler.advance(by: .seconds(600))
    #expect((scene.state, scene.revision) == (reachesHub ? (.confirmed, 4) : (.rolledBack, 0)))
  }
}
