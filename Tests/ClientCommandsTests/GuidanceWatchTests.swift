import Failures
import Instants
import TestSupport
import Testing

@testable import ClientCommands

/// The end of guidance on a manual clock.
@Suite struct GuidanceWatchTests {
  private final class Scene {
    let scheduler = ManualScheduler()
    let watch: GuidanceWatch
    var ends: [Failure?] = []

    init() {
      watch = GuidanceWatch(scheduler)
      watch.onEnd = { [unowned self] in ends.append($0) }
    }

    func fail(_ text: String = "no route", isLackOfRoute: Bool = true) {
      watch.noteFailure(Failure(.dataError, text), isLackOfRoute: isLackOfRoute)
    }
  }

  @Test func `guidance without any route ends after twelve seconds with the last reason`() {
    let scene = Scene()
    scene.fail()
    scene.scheduler.advance(by: .seconds(11))
    #expect(scene.ends.isEmpty && !scene.watch.isOver)
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.ends == [Failure(.dataError, "no route")] && scene.watch.isOver)
  }

  @Test func `a route, even one that is lost later, lets guidance continue`() {
    let scene = Scene()
    scene.fail()
    scene.watch.noteRoute()
    scene.scheduler.advance(by: .seconds(3600))
    scene.fail()
    scene.scheduler.advance(by: .seconds(3600))
    #expect(scene.ends.isEmpty)
  }

  @Test func `an unknown position ends nothing, whether it comes first or after a lack of a route`() {
    let scene = Scene()
    scene.fail("searching", isLackOfRoute: false)
    scene.scheduler.advance(by: .seconds(60))
    scene.fail()
    scene.scheduler.advance(by: .seconds(6))
    scene.fail("searching", isLackOfRoute: false)
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.ends.isEmpty)
    scene.fail()
    scene.scheduler.advance(by: .seconds(12))
    #expect(scene.ends.count == 1)
  }

  @Test(arguments: [
    ("arrived", nil), ("notAuthorized", Failures.ExitStatus.noPermission), ("noLocationSource", .unavailable),
    ("replaced", .temporaryFailure),
  ])
  func `the exit status states why the daemon has ended guidance`(reason: String, status: Failures.ExitStatus?) {
    let scene = Scene()
    scene.watch.noteEnd(reason, "why")
    #expect(scene.ends == [status.map { Failure($0, "why") }])
  }

  @Test func `guidance ends once`() {
    let scene = Scene()
    scene.fail()
    scene.watch.noteEnd("arrived", "")
    scene.scheduler.advance(by: .seconds(60))
    scene.watch.noteEnd("replaced", "")
    #expect(scene.ends == [nil])
  }
}
