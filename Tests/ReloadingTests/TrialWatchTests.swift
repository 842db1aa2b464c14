import Instants
import Reloading
import TestSupport
import Testing

/// The end of a trial in a program that uses the rollout, on a manual clock.
@Suite struct TrialWatchTests {
  private final class Scene {
    let scheduler = ManualScheduler()
    /// The machine has slept for an hour, so that the clock of the trial is ahead.
    var uptime: Span { scheduler.now - Instant(microseconds: 0) + .seconds(3600) }
    var stored: TrialWatch.Rollout?
    private(set) var reads = 0
    private(set) var ends = 0
    private(set) lazy var watch = TrialWatch(
      scheduler, uptime: { [unowned self] in uptime },
      stored: { [unowned self] in
        reads += 1
        return stored
      })

    init() { watch.onEnd = { [unowned self] in ends += 1 } }

    /// Follows a rollout whose trial ends in a number of seconds, and that is stored as well.
    func follow(_ revision: Int64, endsIn seconds: Double?) {
      let rollout = TrialWatch.Rollout(revision: revision, trialEnd: seconds.map { uptime + .seconds($0) })
      stored = rollout
      watch.follow(rollout)
    }
  }

  @Test func `the configuration is read again one second after a trial that left the rollout out of use`() {
    let scene = Scene()
    scene.follow(7, endsIn: 60)
    scene.stored = TrialWatch.Rollout(revision: 0, trialEnd: nil)
    scene.scheduler.advance(by: .milliseconds(60_999))
    #expect(scene.reads == 0 && scene.ends == 0)
    scene.scheduler.advance(by: .milliseconds(1))
    #expect(scene.ends == 1)
  }

  @Test func `a stored rollout that cannot be read ends the trial`() {
    let scene = Scene()
    scene.follow(7, endsIn: 60)
    scene.stored = nil
    scene.scheduler.advance(by: .seconds(61))
    #expect(scene.ends == 1)
  }

  @Test func `a trial that was extended is watched to its new end, and a confirmed rollout not at all`() {
    let scene = Scene()
    scene.follow(7, endsIn: 60)
    scene.stored = TrialWatch.Rollout(revision: 7, trialEnd: scene.uptime + .seconds(100))
    scene.scheduler.advance(by: .seconds(99))
    #expect(scene.reads == 1)
    scene.stored = TrialWatch.Rollout(revision: 7, trialEnd: nil)
    scene.scheduler.advance(by: .seconds(1000))
    #expect(scene.reads == 2 && scene.ends == 0)
  }

  @Test func `a trial that has ended before is checked at once, and another rollout replaces it`() {
    let scene = Scene()
    scene.follow(7, endsIn: -5)
    scene.follow(8, endsIn: -5)
    scene.scheduler.advance(by: .milliseconds(999))
    #expect(scene.reads == 0)
    scene.stored = TrialWatch.Rollout(revision: 8, trialEnd: nil)
    scene.scheduler.advance(by: .milliseconds(1))
    #expect(scene.reads == 1 && scene.ends == 0)
  }

  @Test func `without a trial nothing is read`() {
    let scene = Scene()
    scene.follow(7, endsIn: nil)
    scene.scheduler.advance(by: .seconds(100_000))
    #expect(scene.reads == 0 && scene.ends == 0)
  }
}
