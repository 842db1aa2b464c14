import ClientCommands
import Failures
import Instants
import TestSupport
import Testing

@Suite struct AdvertisingWatchTests {
  private final class Scene {
    let scheduler = ManualScheduler()
    let watch: AdvertisingWatch
    private(set) var waits: [Failure] = []
    private(set) var ends: [Failure?] = []

    init(duration: Span? = nil) {
      watch = AdvertisingWatch(scheduler, duration: duration)
      watch.onWait = { [unowned self] in waits.append($0) }
      watch.onEnd = { [unowned self] in ends.append($0) }
    }
  }

  private let obstacle = Failure(.unavailable, "bluetoothd does not run")

  @Test func `an obstacle at the start ends the command, but a later one does not`() {
    let scene = Scene()
    scene.watch.note(.starting)
    scene.watch.note(.waiting(obstacle))
    #expect(scene.ends == [obstacle] && scene.waits.isEmpty)
    let later = Scene()
    later.watch.note(.advertising)
    later.watch.note(.waiting(obstacle))
    later.watch.note(.starting)
    later.watch.note(.advertising)
    #expect(later.ends.isEmpty && later.waits == [obstacle])
  }

  @Test func `the duration begins with the first advertisement, and interruptions count`() {
    let scene = Scene(duration: .seconds(60))
    scene.scheduler.advance(by: .seconds(100))
    scene.watch.note(.advertising)
    scene.scheduler.advance(by: .seconds(40))
    scene.watch.note(.waiting(obstacle))
    scene.watch.note(.advertising)
    scene.scheduler.advance(by: .seconds(19))
    #expect(scene.ends.isEmpty)
    scene.scheduler.advance(by: .seconds(2))
    #expect(scene.ends == [nil])
  }

  @Test func `without a duration the command does not end by itself`() {
    let scene = Scene()
    scene.watch.note(.advertising)
    scene.scheduler.advance(by: .seconds(86_400))
    #expect(scene.ends.isEmpty)
  }
}
