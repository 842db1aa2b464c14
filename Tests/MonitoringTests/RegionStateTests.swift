import Events
import Instants
import Proximity
import RadioHealth
import Regions
import TestSupport
import Testing

@testable import Monitoring

/// The states of regions from one run to the next.
@Suite struct RegionStateTests {
  @Test func `a visitor who stayed during a restart causes no second enter event`() throws {
    let first = Scene(.init(), try Scene.regions(["hall": 1]))
    first.source.begin()
    first.source.hear(1)
    first.monitoring.end()
    #expect(first.bus.events == ["1 enter hall"] && first.files.journal.isClosed)
    let second = Scene(first.files, try Scene.regions(["hall": 1]))
    second.source.begin(at: 10)
    second.source.hear(11)
    #expect(second.bus.events == ["2 state hall"])
  }

  @Test func `a visitor who left during a restart exits once, one exit delay after it`() throws {
    let first = Scene(.init(), try Scene.regions(["hall": 1]))
    first.source.begin()
    first.source.hear(1)
    first.monitoring.end()
    let second = Scene(first.files, try Scene.regions(["hall": 1]))
    second.source.begin(at: 10)
    second.source.pass(to: 100)
    #expect(second.bus.events == ["2 exit hall"])
    #expect(second.bus.details.first?.time == second.source.wallClock(.at(40)))
  }

  @Test func `time in which the daemon did not run is not silence`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 1]))
    scene.source.begin()
    scene.source.hear(1)
    // The deadline is at 31 s.
    scene.source.stall(from: 1.5, to: 300)
    scene.source.hear(300.1)
    #expect(scene.bus.events == ["1 enter hall"])
    // The visitor leaves in the next stall. Silence counts from its end, and the stall is not a gap from which the exit delay is learned.
    scene.source.stall(from: 301.1, to: 400)
    scene.source.pass(to: 440)
    #expect(scene.bus.events == ["1 enter hall", "2 exit hall"])
    #expect(scene.bus.details.last?.time == scene.source.wallClock(.at(429)))
  }

  @Test func `a lost adapter stays lost while the daemon does not run`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 1]))
    scene.source.begin()
    scene.source.hear(1)
    scene.source.change(.all(.lost), .gone, at: 2)
    #expect(scene.bus.events == ["1 enter hall", "2 state hall"])
    scene.source.stall(from: 10, to: 100)
    scene.source.pass(to: 200)
    #expect(scene.bus.events == ["1 enter hall", "2 state hall"])
  }

  @Test func `after an outage of more than fifteen minutes a visit is over`() throws {
    let first = Scene(.init(), try Scene.regions(["hall": 1]))
    first.source.begin()
    first.source.hear(1)
    first.monitoring.end()
    let second = Scene(first.files, try Scene.regions(["hall": 1]))
    second.source.begin(at: 1000)
    second.source.hear(1001)
    #expect(second.bus.events == ["2 exit hall", "3 enter hall"])
  }

  @Test func `states are restored only for regions that are still configured`() throws {
    let first = Scene(.init(), try Scene.regions(["hall": 1, "lift": 2]))
    first.source.begin()
    first.source.hear(1, major: 2)
    first.monitoring.end()
    #expect(first.files.journal.regions.keys.sorted() == ["hall", "lift"])
    let second = Scene(first.files, try Scene.regions(["hall": 1]))
    second.source.begin(at: 10)
    second.source.pass(to: 60)
    second.monitoring.end()
    #expect(second.files.journal.regions.keys.sorted() == ["hall"] && !second.bus.events.contains("2 exit lift"))
  }

  @Test func `a journal that opens late restores the regions that are still unknown, and then saves them`() throws {
    let first = Scene(.init(), try Scene.regions(["hall": 1, "lift": 2]))
    first.source.begin()
    first.source.hear(1)
    first.source.hear(2, major: 2)
    first.monitoring.end()
    first.files.journal.fail(retryAt: first.scheduler.now + .seconds(60))

    let second = Scene(first.files, try Scene.regions(["hall": 1, "lift": 2]))
    second.source.begin(at: 5)
    second.source.hear(6)
    // Without the saved state this is a new visit.
    #expect(second.bus.events == ["3 enter hall"])
    let saves = second.files.journal.saveCount
    second.files.journal.repair()
    second.source.now = .at(20)
    second.scheduler.advance(by: .seconds(60))
    #expect(second.bus.journalChanges == 1 && second.files.journal.saveCount == saves + 1)
    #expect(second.files.journal.regions["lift"]?.remembered == .inside)
    second.source.hear(21, major: 2)
    #expect(second.bus.events == ["3 enter hall", "4 state lift"])
  }

  @Test func `a journal that fails later and returns is not read again, and the present states are saved`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 1]))
    scene.source.begin()
    scene.source.hear(1)
    let old = scene.files.journal.regions
    scene.files.journal.fail(retryAt: scene.scheduler.now + .seconds(60))
    scene.source.pass(to: 100)
    #expect(scene.files.journal.regions == old)
    scene.files.journal.repair()
    scene.scheduler.advance(by: .seconds(60))
    scene.monitoring.retryJournals()
    #expect(scene.files.journal.regions["hall"]?.state == .outside)
    #expect(scene.bus.events == ["1 enter hall", "2 exit hall"])
  }

  @Test func `states are saved every five minutes`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 1]))
    scene.source.begin()
    for second in 1...299 { scene.source.hear(Double(second)) }
    let early = scene.files.journal.saveCount
    scene.source.hear(300)
    #expect(early == 0 && scene.files.journal.saveCount == 1)
    #expect(scene.files.journal.regions["hall"]?.lastSatisfied?.lastSeen == scene.source.wallClock(.at(300)))
  }

  @Test func `a source that never started saves no state`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 1]))
    scene.monitoring.end()
    #expect(scene.files.journal.saveCount == 0 && scene.files.journal.isClosed)
  }
}
