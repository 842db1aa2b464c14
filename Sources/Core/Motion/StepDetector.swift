import Headings
import Instants
import RealModule

/// Counts steps by the peaks of the acceleration's magnitude, which does not depend on how the device is held.
///
/// Each step of a walker lifts the body and lets it fall again, 1.4 to 3 times a second. The magnitude without its slow mean is smoothed. A
/// step is a peak that rises far enough above the valleys on both sides, compared with the steps before it. Steps count once several follow
/// one another at a regular pace, because handling and vehicles cause single peaks. Windowed peak detection is the most accurate of the
/// common methods in Brajdic and Harle, "Walk detection and step counting on unconstrained smartphones", UbiComp 2013.
struct StepDetector: Sendable {
  /// The time constants of the slow mean and of the smoothing.
  private static let (slow, fast) = (Span.seconds(1), Span.milliseconds(60))
  /// The minimum rise of a step in m/s², and as a share of the mean one.
  private static let (least, share) = (0.6, 0.35)
  /// The shortest and the longest time between two steps.
  private static let (shortest, longest) = (Span.milliseconds(250), Span.milliseconds(1100))
  /// The bounds of an interval as a multiple of the mean one. Left and right steps differ.
  private static let regularity = 0.5...1.7
  /// The steps that must follow one another before they count.
  private static let fewest = 5
  private static let gap = Span.seconds(1)

  /// All steps that count.
  private(set) var steps: UInt64 = 0
  private var mean: Double?
  private var smoothed = (0.0, 0.0)
  private var last: (magnitude: Double, time: Instant)?
  /// The highest value of the present rise, or the lowest one of the present fall.
  private var turningPoint: (value: Double, time: Instant)?
  private var isRising = true
  private var valley = 0.0
  private var meanRise = 0.0
  private var lastStep: Instant?
  /// The last peak, also one that is not a step.
  private var lastPeak: Instant?
  /// The mean interval of the run in seconds, and its steps so far.
  private var pace = 0.0
  private var run = 0

  mutating func take(_ acceleration: SpaceVector, at time: Instant) {
    let magnitude = acceleration.length
    guard let last, let mean, time > last.time, time - last.time <= Self.gap else {
      let steps = steps
      self = StepDetector()
      (self.steps, self.mean, self.last) = (steps, magnitude, (magnitude, time))
      return
    }
    let elapsed = (time - last.time).seconds
    self.last = (magnitude, time)
    self.mean = mean + (magnitude - mean) * (1 - .exp(-elapsed / Self.slow.seconds))
    let weight = 1 - .exp(-elapsed / Self.fast.seconds)
    smoothed.0 += (magnitude - mean - smoothed.0) * weight
    smoothed.1 += (smoothed.0 - smoothed.1) * weight
    let value = smoothed.1
    follow(value, at: time)
    if let lastStep, time - lastStep > Self.longest { end() }
  }

  /// The steps of each second; nil unless several have followed one another until now.
  func cadence(at now: Instant) -> Double? {
    guard run >= Self.fewest, let lastStep, now - lastStep <= Self.longest, pace > 0 else { return nil }
    return 1 / pace
  }

  /// Looks for peaks and valleys.
  private mutating func follow(_ value: Double, at time: Instant) {
    guard let point = turningPoint else {
      turningPoint = (value, time)
      return
    }
    let limit = max(Self.least, Self.share * meanRise)
    if isRising ? value > point.value : value < point.value {
      turningPoint = (value, time)
    } else if abs(value - point.value) >= limit {
      if isRising { step(at: point.time) } else { valley = point.value }
      isRising.toggle()
      turningPoint = (value, time)
    }
  }

  private mutating func step(at time: Instant) {
    let rise = (turningPoint?.value ?? 0) - valley
    meanRise += (rise - meanRise) * (meanRise == 0 ? 1 : 0.2)
    // The foot pushes off shortly after the heel has struck. A vibration has nothing but such peaks.
    let isSecond = lastPeak.map { time - $0 < Self.shortest } ?? false
    lastPeak = time
    guard !isSecond else { return }
    defer { lastStep = time }
    guard let lastStep else {
      run = 1
      return
    }
    let interval = time - lastStep
    guard run < 2 || Self.regularity.contains(interval.seconds / pace) else {
      (run, pace) = (1, 0)
      return
    }
    pace = run < 2 ? interval.seconds : pace + (interval.seconds - pace) * 0.3
    run += 1
    if run == Self.fewest { steps += UInt64(run) } else if run > Self.fewest { steps += 1 }
  }

  /// Ends the run of steps.
  private mutating func end() { (run, lastStep, meanRise, pace) = (0, nil, 0, 0) }
}
