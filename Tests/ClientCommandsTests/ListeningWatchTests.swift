import Failures
import Instants
import Scheduling
import Status
import TestSupport
import Testing

@testable import ClientCommands

/// The end of commands that listen for beacons, on a manual clock.
@Suite struct ListeningWatchTests {
  private final class Seen {
    var notes: [String] = []
    var ends: [Failure?] = []
    var obstacle: HearingObstacle?
    var questions = 0
  }

  private static let off = HearingObstacle(text: "the adapter is off", isExplained: true)
  private static let failure = Failure(.unavailable, "the adapter is off")

  private let scheduler = ManualScheduler()
  private let seen = Seen()

  private func watch(_ rule: ListeningWatch.ObstacleRule, for duration: Span?) -> ListeningWatch {
    let watch = ListeningWatch(scheduler, obstacle: rule)
    watch.onNote = { [seen] in seen.notes.append($0) }
    watch.onEnd = { [seen] in seen.ends.append($0) }
    watch.begin(for: duration) { [seen] answer in
      seen.questions += 1
      answer(seen.obstacle)
    }
    return watch
  }

  @Test func `a command without a time limit goes on`() {
    let watch = watch(.ends, for: nil)
    scheduler.advance(by: .seconds(86_400))
    #expect(seen.ends.isEmpty && seen.questions == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `the time begins when the daemon is available, and its end is asked about only without beacons`() {
    scheduler.advance(by: .seconds(60))
    let watch = watch(.ends, for: .seconds(10))
    watch.hasHeard = true
    scheduler.advance(by: .milliseconds(9999))
    #expect(seen.ends.isEmpty)
    scheduler.advance(by: .milliseconds(1))
    #expect(seen.ends == [nil] && seen.questions == 1)
  }

  @Test func `a command ends with the obstacle of a daemon that no longer receives`() {
    let watch = watch(.ends, for: .seconds(10))
    watch.hasHeard = true
    scheduler.advance(by: .seconds(5))
    (watch.hasHeard, seen.obstacle) = (false, Self.off)
    scheduler.advance(by: .seconds(5))
    #expect(seen.ends == [Self.failure])
  }

  @Test func `a command that shows what the daemon receives ends at once with an obstacle`() {
    seen.obstacle = Self.off
    let watch = watch(.ends, for: .seconds(10))
    #expect(seen.ends == [Self.failure] && seen.notes.isEmpty)
    scheduler.advance(by: .seconds(60))
    #expect(seen.ends.count == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `a source that goes away in the meantime is the reason for hearing nothing`() {
    let watch = watch(.ends, for: .seconds(10))
    seen.obstacle = Self.off
    scheduler.advance(by: .seconds(10))
    #expect(seen.ends == [Self.failure])
    withExtendedLifetime(watch) {}
  }

  @Test func `a command that notes obstacles goes on until its time has passed, and asks no more then`() {
    seen.obstacle = Self.off
    let watch = watch(.isNoted, for: .seconds(5))
    #expect(seen.notes == ["the adapter is off"] && seen.ends.isEmpty)
    scheduler.advance(by: .seconds(5))
    #expect(seen.ends == [nil] && seen.questions == 1)
    withExtendedLifetime(watch) {}
  }
}
