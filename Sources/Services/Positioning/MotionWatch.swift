import Instants
import Locations
import Motion
import Scheduling

/// A part of the service's clients that needs the motion of the device, besides listeners with a distance filter.
public enum MotionUse: Hashable, Sendable {
  /// The position in a venue.
  case venue
  /// The guidance of a visitor through a venue.
  case guidance
}

/// Determines the motion of the device, from its sensors while something needs it, or from a recording.
final class MotionWatch {
  /// Receives each motion that the samples of a second or a recording show, and `unknown` when there is none any more.
  var onMotion: (DeviceMotion) -> Void = { _ in }

  private let scheduler: any Scheduler
  private let clock: any LocationClock
  private let sensors: (any MotionSensors)?
  private var estimator = MotionEstimator()
  private var measured = DeviceMotion.unknown
  /// The motion of a recording; nil without one.
  private var recorded: DeviceMotion?
  /// Fires when the sensors have fallen silent.
  private var silence: (any SchedulerTimer)?
  /// The time that the machine had slept at the last samples; nil before the first ones.
  private var slept: Span?

  /// The time without samples after which the motion is unknown.
  private static let longestSilence = Span.seconds(3)
  /// The length of a sleep after which the device may be elsewhere. The two clocks are read one after the other.
  private static let leastSleep = Span.seconds(1)

  /// - Parameter sensors: nil for a recording, to which this machine's motion is unrelated.
  init(_ scheduler: any Scheduler, _ clock: any LocationClock, _ sensors: (any MotionSensors)?) {
    (self.scheduler, self.clock, self.sensors) = (scheduler, clock, sensors)
    silence = scheduler.timer { [unowned self] in forget() }
    sensors?.onSamples = { [unowned self] in take($0) }
  }

  /// Whether the sensors are read; always false without sensors.
  var isOn: Bool {
    get { sensors?.isOn ?? false }
    set {
      guard let sensors, newValue != sensors.isOn else { return }
      silence?.arm(at: .never)
      sensors.isOn = newValue
      (estimator, slept) = (MotionEstimator(), nil)
      if !newValue { show(.unknown) }
    }
  }

  /// The motion of the device; unknown while its sensors are off.
  ///
  /// After a sleep of the machine it is unknown until the sensors have measured again.
  var motion: DeviceMotion { recorded ?? (hasSlept ? .unknown : measured) }

  /// Whether the motion is that of a recording.
  var isRecorded: Bool { recorded != nil }

  /// Whether the machine has slept since the last samples.
  ///
  /// The scheduler's clock and that of the samples pause meanwhile, in which the device may have been carried elsewhere.
  private var hasSlept: Bool { slept.map { clock.now - scheduler.now - $0 > Self.leastSleep } ?? false }

  /// Takes the motion of the device that was recorded, which lasts until the next one.
  func take(recorded motion: DeviceMotion) {
    recorded = motion
    onMotion(motion)
  }

  /// Takes a heading of the device, whose changes show turns where there is no gyroscope.
  func take(heading: Double, accuracy: Double, at time: Instant) {
    if isOn { estimator.take(heading: heading, accuracy: accuracy, at: time) }
  }

  /// Forgets a motion from before a sleep of the machine.
  func notice() {
    if hasSlept, measured != .unknown { forget() }
  }

  private func take(_ samples: [MotionSample]) {
    guard let last = samples.last else { return }
    if hasSlept { forget() }
    slept = clock.now - scheduler.now
    for sample in samples { estimator.take(sample) }
    show(estimator.motion(at: last.time))
    silence?.arm(at: scheduler.now + Self.longestSilence)
  }

  private func forget() {
    estimator = MotionEstimator()
    show(.unknown)
  }

  private func show(_ motion: DeviceMotion) {
    measured = motion.rounded
    onMotion(measured)
  }
}
