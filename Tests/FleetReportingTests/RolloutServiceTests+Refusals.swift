import FleetMessages
import Instants
import TestSupport
import Testing

@testable import FleetReporting

extension RolloutServiceTests {
  @Test func `a flood of forged rollouts makes one line in the log a minute`() throws {
    let scene = try Scene()
    for _ in 0..<100 { try scene.receive(scene.payload(4, signature: 8)) }
    #expect(scene.lines.all.count { $0.contains("refused") } == 1)
    scene.scheduler.advance(by: .milliseconds(59_999))
    try scene.receive(scene.payload(4, signature: 8))
    #expect(scene.lines.all.count { $0.contains("refused") } == 1)
    scene.scheduler.advance(by: .milliseconds(1))
    try scene.receive(scene.payload(4, signature: 8))
    #expect(scene.lines.all.count { $0.contains("refused") } == 2)
  }

  @Test func `a file that cannot be read is not replaced`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    scene.file.isReadable = false
    scene.restart()
    #expect(throws: RolloutRefusal.self) { try scene.receive(scene.payload(2)) }
    #expect(throws: RolloutRefusal.self) { try scene.receive(scene.payload(4)) }
    scene.file.isReadable = true
    try scene.receive(scene.payload(2))
    #expect(scene.text == "revision 3 was taken before, and a later one has to be greater")
    #expect(scene.revision == 3)
  }

  @Test func `forged, foreign, old and unreadable rollouts are refused, and write nothing`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    let (writes, reloads) = (scene.file.writes, scene.device.reloads)
    var changed = scene.payload(4, dropIn: "[ranging]")
    changed[changed.count - 66 - 4] ^= 1
    let refusals: [(payload: [UInt8], revision: Int64, text: String)] = [
      (scene.payload(4, signature: 8), 4, "the signature is not by the rollout-key"),
      (scene.payload(4, audience: [.site("bonn")]), 4, "it is not for berlin.door"),
      (scene.payload(2), 2, "revision 3 was taken before, and a later one has to be greater"),
      (scene.payload(3, dropIn: "#"), 3, "revision 3 was taken before, and a later one has to be greater"),
      ([1, 2, 3], 0, "the rollout cannot be read: octet 0: the item is of another type than the format requires"),
      ([], 0, "the rollout cannot be read: the message ends within an item"),
    ]
    for refusal in refusals {
      try scene.receive(refusal.payload)
      #expect(scene.service.report == RolloutReport(revision: refusal.revision, state: .refused, text: refusal.text))
    }
    #expect((scene.file.writes, scene.device.reloads, scene.revision) == (writes, reloads, 3))
  }

  @Test func `without a rollout-key every rollout is refused`() throws {
    let scene = try Scene()
    scene.service.use(nil)
    try scene.receive(scene.payload(3))
    #expect(scene.service.report == RolloutReport(revision: 3, state: .refused, text: "no rollout-key in [notifier.hub]"))
    #expect(scene.file.octets == nil)
  }

  @Test func `a rollout that makes the configuration invalid is refused for good`() throws {
    let scene = try Scene()
    scene.device.invalid = "rollout 3:2: web: must not be in a rollout\n\u{1B}"
    try scene.receive(scene.payload(3))
    #expect(scene.state == .refused)
    #expect(scene.text == "rollout 3:2: web: must not be in a rollout  ")
    scene.device.invalid = nil
    scene.restart()
    try scene.receive(scene.payload(3))
    #expect((scene.state, scene.device.reloads) == (.refused, 0))
    try scene.confirm(4)
  }

  @Test func `a rollout that comes while the configuration of the device is invalid is taken when it is valid`() throws {
    let scene = try Scene()
    try scene.confirm(2)
    let writes = scene.file.writes
    scene.device.ownFault = RolloutRefusal("beaconmon.toml:3: not finished")
    #expect(throws: RolloutRefusal.self) { try scene.receive(scene.payload(3)) }
    #expect((scene.file.writes, scene.state, scene.revision) == (writes, .confirmed, 2))
    scene.device.ownFault = nil
    try scene.receive(scene.payload(3))
    #expect(scene.state == .onTrial)
  }

  @Test func `a rollout that comes again is not applied again, whatever its end`() throws {
    let scene = try Scene()
    try scene.receive(scene.payload(3))
    let (writes, reloads) = (scene.file.writes, scene.device.reloads)
    try scene.receive(scene.payload(3))
    #expect((scene.file.writes, scene.device.reloads, scene.state) == (writes, reloads, .onTrial))
    scene.scheduler.advance(by: .seconds(700))
    #expect(scene.state == .rolledBack)
    try scene.receive(scene.payload(2))
    #expect(scene.state == .refused)
    try scene.receive(scene.payload(3))
    #expect((scene.state, scene.revision) == (.rolledBack, 0))
  }

  @Test func `a rollout on trial is not a rollout to return to`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    try scene.receive(scene.payload(4))
    try scene.receive(scene.payload(5))
    #expect(scene.device.revision == 5)
    scene.scheduler.advance(by: .seconds(700))
    #expect((scene.state, scene.revision, scene.device.revision) == (.rolledBack, 3, 3))
  }

  @Test func `a rollout of a former author is not a rollout to return to`() throws {
    let scene = try Scene()
    try scene.confirm(3)
    scene.key = Array(repeating: 9, count: 32)
    scene.restart()
    try scene.receive(scene.payload(4, signature: 9))
    scene.scheduler.advance(by: .seconds(700))
    #expect((scene.state, scene.revision) == (.rolledBack, 0))
  }
}
