import Beacons
import Failures
import Instants
import Scheduling
import Status
import TestSupport
import Testing

@testable import ClientCommands

/// The decisions of commands over time, on a manual clock.
@Suite struct CommandWatchTests {
  private let scheduler = ManualScheduler()

  // MARK: A daemon that hangs

  private final class Pings {
    var pings = 0
    var isLate = false
  }

  private func answerWatch() -> (AnswerWatch, Pings) {
    let (watch, pings) = (AnswerWatch(scheduler), Pings())
    watch.onPing = { pings.pings += 1 }
    watch.onLate = { pings.isLate = true }
    return (watch, pings)
  }

  @Test func `a daemon is pinged again after each answer, and is late without one`() {
    let (watch, seen) = answerWatch()
    watch.expectAnswer()
    watch.ping()
    for count in 2...20 {
      watch.noteAnswer()
      scheduler.advance(by: .milliseconds(400))
      #expect(seen.pings == count)
    }
    scheduler.advance(by: .milliseconds(3999))
    #expect(!seen.isLate)
    scheduler.advance(by: .milliseconds(1))
    #expect(seen.isLate && seen.pings == 20)
  }

  @Test func `nothing is late while the daemon is away or after the command has its result`() {
    let (watch, seen) = answerWatch()
    watch.ping()
    watch.pause()
    scheduler.advance(by: .seconds(60))
    watch.ping()
    watch.settle()
    scheduler.advance(by: .seconds(60))
    // A late answer to the last ping begins no other.
    watch.noteAnswer()
    watch.ping()
    scheduler.advance(by: .seconds(60))
    #expect(!seen.isLate && seen.pings == 2)
  }

  @Test func `an answer is not late while this process is stopped, and has four more seconds afterwards`() {
    let clock = StoppableClock(scheduler)
    let watch = AnswerWatch(clock)
    var isLate = false
    watch.onLate = { isLate = true }
    watch.expectAnswer()
    scheduler.advance(by: .seconds(3))
    clock.stop(for: .seconds(60))
    scheduler.advance(by: .milliseconds(4999))
    #expect(!isLate)
    scheduler.advance(by: .milliseconds(1))
    #expect(isLate)
  }

  // MARK: Headings

  private final class HeadingEvents {
    var requests = 0
    var notes: [String] = []
    var ends: [Failure] = []
  }

  private let noSource = Failure(.unavailable, "there is no magnetometer")

  private func headingWatch() -> (HeadingWatch, HeadingEvents) {
    let (watch, events) = (HeadingWatch(scheduler), HeadingEvents())
    watch.onRequest = { events.requests += 1 }
    watch.onNote = { events.notes.append($0) }
    watch.onEnd = { events.ends.append($0) }
    return (watch, events)
  }

  @Test func `a device without a source of headings ends the command at once`() {
    let (watch, events) = headingWatch()
    watch.noteRefusal(noSource, isLackOfSource: true)
    #expect(events.ends == [noSource] && events.requests == 0)
  }

  @Test func `a source that was there is waited for, with one sentence for each daemon`() {
    let (watch, events) = headingWatch()
    watch.noteBegin()
    watch.noteAbsence()
    watch.noteRefusal(noSource, isLackOfSource: true)
    for seconds in [1.0, 2, 4, 8, 16, 30, 30] {
      let requests = events.requests
      scheduler.advance(by: .seconds(seconds - 0.001))
      #expect(events.requests == requests)
      scheduler.advance(by: .milliseconds(1))
      #expect(events.requests == requests + 1)
      watch.noteRefusal(noSource, isLackOfSource: true)
    }
    #expect(events.notes == ["there is no magnetometer; waiting for it"] && events.ends.isEmpty)
    // The next daemon gets the request from its client, without a wait.
    watch.noteAbsence()
    scheduler.advance(by: .seconds(60))
    #expect(events.requests == 7)
    watch.noteBegin()
    let denied = Failure(.noPermission, "root said no")
    watch.noteRefusal(denied, isLackOfSource: false)
    #expect(events.ends == [denied])
  }

  @Test func `a need for a calibration and its end are reported once, and again for the next daemon`() {
    let (watch, events) = headingWatch()
    let (need, end) = ("the compass needs a calibration; turn the device in all directions", "the compass is calibrated")
    watch.noteCalibration(isNeeded: false)
    for isNeeded in [true, true, false, false] { watch.noteCalibration(isNeeded: isNeeded) }
    #expect(events.notes == [need, end])
    watch.noteCalibration(isNeeded: true)
    watch.noteAbsence()
    watch.noteCalibration(isNeeded: false)
    watch.noteCalibration(isNeeded: true)
    #expect(events.notes == [need, end, need, need])
  }

  // MARK: Samples

  @Test func `sensors are silent without a sample in time, at the start and later`() {
    for samples in [0, 500] {
      var silences = 0
      let watch = SampleWatch(scheduler)
      watch.onSilence = { silences += 1 }
      watch.begin(patience: .seconds(4))
      for _ in 0..<samples {
        scheduler.advance(by: .milliseconds(20))
        watch.noteSample()
      }
      scheduler.advance(by: .milliseconds(3999))
      #expect(silences == 0)
      scheduler.advance(by: .milliseconds(1))
      #expect(silences == 1)
    }
  }

  @Test func `sensors are not silent while this process is stopped, and have their time again afterwards`() {
    let clock = StoppableClock(scheduler)
    var silences = 0
    let watch = SampleWatch(clock)
    watch.onSilence = { silences += 1 }
    watch.begin(patience: .seconds(4))
    clock.stop(for: .seconds(60))
    scheduler.advance(by: .milliseconds(7999))
    #expect(silences == 0)
    scheduler.advance(by: .milliseconds(1))
    #expect(silences == 1)
  }

  // MARK: Configured beacons

  private let hall = BeaconConstraint(uuid: BeaconUUID(high: 0, low: 1))
  private let shop = BeaconConstraint(uuid: BeaconUUID(high: 0, low: 2))

  private final class Configuration {
    var beacons: [BeaconConstraint]?
    var questions = 0
    var ranged: [[BeaconConstraint]] = []
    var notes: [String] = []
    var ends: [Failure] = []

    func ask(_ answer: ([BeaconConstraint]?) -> Void) {
      questions += 1
      answer(beacons)
    }
  }

  private func beaconWatch(_ configuration: Configuration) -> ConfiguredBeaconsWatch {
    let watch = ConfiguredBeaconsWatch(scheduler, most: 2)
    watch.onChange = { configuration.ranged.append($0) }
    watch.onNote = { configuration.notes.append($0) }
    watch.onEnd = { configuration.ends.append($0) }
    return watch
  }

  @Test func `the beacons of the configuration are ranged, and others after a reload`() {
    let configuration = Configuration()
    configuration.beacons = [hall]
    let watch = beaconWatch(configuration)
    watch.begin(configuration.ask)
    scheduler.advance(by: .seconds(10))
    configuration.beacons = [hall, shop]
    scheduler.advance(by: .seconds(10))
    configuration.beacons = [shop, hall]
    scheduler.advance(by: .seconds(10))
    #expect(configuration.ranged == [[hall], [hall, shop]] && configuration.questions == 4)
    // The daemon is away, and one that has just started has no beacons yet.
    watch.pause()
    scheduler.advance(by: .seconds(60))
    configuration.beacons = []
    watch.begin(configuration.ask)
    #expect(configuration.questions == 5 && configuration.ranged.count == 2 && configuration.ends.isEmpty)
    configuration.beacons = nil
    scheduler.advance(by: .seconds(10))
    #expect(configuration.notes == ["beaconmond does not answer; asking again in 10 s"])
  }

  @Test func `a configuration with no beacons, or with too many, ends the command`() {
    for beacons in [[], [hall, shop, BeaconConstraint(uuid: BeaconUUID(high: 0, low: 3))]] {
      let configuration = Configuration()
      configuration.beacons = beacons
      let watch = beaconWatch(configuration)
      watch.begin(configuration.ask)
      #expect(configuration.ends.map(\.status) == [.usage] && configuration.ranged.isEmpty)
    }
  }

  // MARK: Hearing

  @Test func `an obstacle is reported at once if it is explained, or else after three seconds`() {
    var obstacle: HearingObstacle? = HearingObstacle(text: "the adapter is off", isExplained: true)
    var answers: [String?] = []
    let check = HearingCheck(scheduler)
    check.begin({ $0(obstacle) }, onAnswer: { answers.append($0) })
    #expect(answers == ["the adapter is off"])
    obstacle = HearingObstacle(text: "no adapter", isExplained: false)
    check.begin({ $0(obstacle) }, onAnswer: { answers.append($0) })
    scheduler.advance(by: .milliseconds(2999))
    #expect(answers.count == 1)
    scheduler.advance(by: .milliseconds(300))
    #expect(answers == ["the adapter is off", "no adapter"])
  }

  @Test func `an adapter that appears in time is not an obstacle, and a later check does not wait`() {
    var obstacle: HearingObstacle? = HearingObstacle(text: "no adapter", isExplained: false)
    var answers: [String?] = []
    let check = HearingCheck(scheduler)
    check.begin({ $0(obstacle) }, onAnswer: { answers.append($0) })
    scheduler.advance(by: .seconds(1))
    obstacle = nil
    scheduler.advance(by: .seconds(1))
    #expect(answers == [nil])
    obstacle = HearingObstacle(text: "no adapter", isExplained: false)
    check.again { answers.append($0) }
    #expect(answers == [nil, "no adapter"])
    scheduler.advance(by: .seconds(10))
    #expect(answers.count == 2)
  }
}

/// The clock of a process that can be stopped: timers that are due meanwhile fire when it goes on.
private final class StoppableClock: Scheduler {
  private let process: ManualScheduler
  /// The time for which the process was stopped.
  fileprivate var stopped = Span.zero

  init(_ process: ManualScheduler) { self.process = process }

  var now: Instant { process.now + stopped }
  var wallClock: Instant { process.wallClock + stopped }
  func timer(_ body: @escaping () -> Void) -> Timer { Timer(process.timer(body), self) }
  func enqueue(_ body: @escaping () -> Void) { process.enqueue(body) }

  func stop(for span: Span) { stopped = stopped + span }

  final class Timer: SchedulerTimer {
    private let timer: ManualTimer
    private unowned let clock: StoppableClock

    fileprivate init(_ timer: ManualTimer, _ clock: StoppableClock) { (self.timer, self.clock) = (timer, clock) }

    var due: Instant? { timer.due.map { $0 + clock.stopped } }
    func arm(at due: Instant) { timer.arm(at: due == .never ? .never : due - clock.stopped) }
  }
}
