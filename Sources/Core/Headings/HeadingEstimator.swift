import Instants
import RealModule

/// Computes the heading of a device from its magnetometer, accelerometer and gyroscope.
///
/// The estimator calibrates the magnetometer at the same time. It needs an accelerometer, or a device that is assumed to lie level.
public struct HeadingEstimator {
  public enum State: Hashable, Sendable {
    /// No sample has arrived, or the samples have no direction.
    case unavailable
    /// The magnetometer must be turned in all directions.
    case uncalibrated
    /// A field that does not move with the device makes the heading wrong.
    case disturbed
    case calibrated
  }

  /// The time constant of the filter.
  private static let smoothing = 0.3
  /// The gravity in m/s². While the acceleration differs from it by more than a share, the device accelerates.
  private static let gravity = 9.80665
  private static let steadyShare = 0.03
  /// The typical deviation of the heading in radians below which a calibration is good enough to be used.
  static let usable = 5 / Double.degreesPerRadian
  /// New samples before the calibration is computed again, and the time between: a computation takes some milliseconds.
  private static let refit = (samples: 24, interval: Span.seconds(2), refinement: Span.seconds(10))
  /// The duration of interference after which the fields of the device count as changed.
  private static let lasting = Span.seconds(30)
  /// The largest turn between two samples of the gyroscope, in radians, that the filter follows.
  private static let largestTurn = 0.5
  /// The largest sway of a device whose mean acceleration shows which way is up, as the device of a walker does.
  ///
  /// They are the cosine of 25° between an acceleration and the mean, and the sine of 10° by which the mean lags.
  private static let sway = (cosine: 0.906, turn: 0.174)
  /// One standard deviation of the tilt of a device that is assumed to lie level, in radians.
  static let levelTilt = 5 / Double.degreesPerRadian
  /// The gap after which the filter restarts.
  private static let gap = Span.seconds(2)
  /// A sample beyond this, in µT, is a defect or a strong magnet: the field of the earth has at most 67 µT.
  private static let strongest = 5_000.0

  public private(set) var state = State.unavailable
  public private(set) var calibration: MagneticCalibration?
  /// Samples that were refused: not finite, saturated, or all zero.
  public private(set) var refused = 0
  public var orientation = DeviceOrientation.portrait
  public var reference: MagneticReference?
  /// Whether the device is taken to lie level with its screen up, because it has no accelerometer.
  public var assumesLevel = false

  private(set) var samples = CalibrationSamples()
  /// The offset by which samples are sorted until there is a calibration.
  private var provisionalOffset = SpaceVector.zero
  private(set) var field = noField
  private(set) var up = noUp
  private var rotation: (rate: SpaceVector, time: Instant)?
  private var steadyUp: SpaceVector?
  /// Up by the mean of a device that sways; nil while the device is turned.
  private var swayingUp: SpaceVector?
  private var detector = InterferenceDetector()
  private var disturbedSince: Instant?
  /// Lasting interference: the samples are those of the changed device.
  private var collectsAnew = false
  private var lastFit: Instant?
  private var lastSample: Instant?
  private var lastUp: Instant?
  var accuracyCache: (deviation: Double, time: Instant)?

  private static let noField = SmoothedVector(followsTurns: true)
  private static let noUp = SmoothedVector(followsTurns: false)

  /// Creates an estimator with the stored calibration of this device; without one, it calibrates from the start.
  public init(calibration: MagneticCalibration? = nil) {
    self.calibration = calibration
  }

  /// Takes the acceleration in m/s²; a device that rests face up reports +9.8 for z.
  public mutating func take(acceleration: SpaceVector, at time: Instant) {
    guard acceleration.isFinite, let direction = acceleration.direction, acceleration.length < 100 * Self.gravity else {
      refused += 1
      return
    }
    steadyUp = abs(acceleration.length / Self.gravity - 1) <= Self.steadyShare ? direction : nil
    if let lastUp, time < lastUp || time - lastUp > Self.gap { up = Self.noUp }
    up.add(direction, share: Self.share(since: lastUp, at: time))
    lastUp = time
    let mean = up.isSettled && up.lag.length < Self.sway.turn ? up.mean?.direction : nil
    swayingUp = mean.flatMap { $0.dot(direction) > Self.sway.cosine ? $0 : nil }
  }

  /// Takes the rotation in radians per second about the axes of the device.
  /// It is counter-clockwise as seen from the end of the axis.
  public mutating func take(rotation rate: SpaceVector, at time: Instant) {
    guard rate.isFinite, rate.length < 100 else {
      refused += 1
      return
    }
    defer { rotation = (rate, time) }
    guard let last = rotation, time > last.time, time - last.time <= Self.gap else { return }
    let turn = (rate + last.rate) / 2 * (time - last.time).seconds
    guard turn.length < Self.largestTurn else {
      (field, up) = (Self.noField, Self.noUp)
      return
    }
    field.follow(turn)
    up.follow(turn)
  }

  /// Takes the magnetic field in µT, uncorrected, and returns the heading; nil if it cannot be determined.
  public mutating func take(field sample: SpaceVector, at time: Instant) -> Heading? {
    guard sample.isFinite, sample.length > 1e-3, sample.length < Self.strongest else {
      refused += 1
      return nil
    }
    if let lastSample, time < lastSample || time - lastSample > Self.gap {
      field = Self.noField
      // After a gap, or if time went back, it is unknown how long the interference lasted.
      disturbedSince = nil
    }
    let share = Self.share(since: lastSample, at: time)
    lastSample = time
    if assumesLevel { lieLevel(at: time) }
    let corrected = calibration?.corrected(sample) ?? (sample - provisionalOffset)
    field.add(corrected, share: share)
    judge(corrected, at: time)
    collect(sample, corrected, at: time)
    return heading(at: time)
  }

  /// Returns the heading of another edge in degrees from magnetic north; nil if it cannot be determined.
  public func magneticHeading(of orientation: DeviceOrientation) -> Double? {
    guard let field = field.value, let up = up.value else { return nil }
    return Attitude(field: field, up: up)?.heading(of: orientation)
  }

  private mutating func lieLevel(at time: Instant) {
    up = Self.noUp
    up.add([0, 0, 1], share: 1)
    (lastUp, steadyUp, swayingUp) = (time, nil, nil)
  }

  private static func share(since last: Instant?, at time: Instant) -> Double {
    guard let last, time > last else { return 1 }
    return 1 - .exp(-(time - last).seconds / smoothing)
  }
}

// MARK: - Calibration

extension HeadingEstimator {
  private mutating func collect(_ sample: SpaceVector, _ corrected: SpaceVector, at time: Instant) {
    let isLastingly = disturbedSince.map { time - $0 >= Self.lasting } ?? false
    guard calibration == nil || !detector.isSuspect || isLastingly else { return }
    if isLastingly, !collectsAnew { (samples, collectsAnew) = (CalibrationSamples(), true) }
    samples.add(sample, up: steadyUp(at: time), corrected: corrected, at: time)
    let interval = state == .calibrated ? Self.refit.refinement : Self.refit.interval
    guard samples.added >= Self.refit.samples, lastFit.map({ time - $0 >= interval || time < $0 }) ?? true else { return }
    lastFit = time
    samples.noteFit()
    guard let fitted = CalibrationFit.calibration(of: samples.all, strengthOfPlace: reference?.strength), isGood(fitted) else {
      // Without a calibration, cells follow the best sphere so far.
      if calibration == nil, let center = samples.center {
        provisionalOffset = center
        samples.rearrange { $0 - center }
      }
      return
    }
    // A device that was only turned in a plane since its start must not replace a better calibration.
    if let calibration, !isLastingly, !isAsGood(fitted, as: calibration), calibration.explains(samples.all, asWellAs: fitted) { return }
    let old = calibration
    field.convert { fitted.corrected(old?.sample(of: $0) ?? $0 + provisionalOffset) }
    calibration = fitted
    if isLastingly { (detector, disturbedSince, collectsAnew) = (InterferenceDetector(), nil, false) }
    accuracyCache = nil
    samples.rearrange(by: fitted.corrected)
  }

  /// The direction away from the earth in the frame of the device, by the latest acceleration, without the lag of the filter.
  /// Nil while the device accelerates.
  public func steadyUp(at time: Instant) -> SpaceVector? {
    guard let lastUp, time >= lastUp, time - lastUp <= .milliseconds(200) else { return nil }
    return steadyUp
  }

  /// Up for the test of the inclination, by the mean for a device that only sways.
  /// Nil while the device is turned and accelerates.
  private func tilt(at time: Instant) -> InterferenceDetector.Tilt? {
    if let up = steadyUp(at: time) { return .init(up: up, isSteady: true) }
    guard let lastUp, time >= lastUp, time - lastUp <= .milliseconds(200), let swayingUp else { return nil }
    return .init(up: swayingUp, isSteady: false)
  }
}

// MARK: - Heading

extension HeadingEstimator {
  private mutating func judge(_ corrected: SpaceVector, at time: Instant) {
    guard let calibration else {
      state = .uncalibrated
      return
    }
    let expected = InterferenceDetector.Expectation(
      strength: calibration.expectedStrength(at: reference?.strength),
      sineOfInclination: reference.map { .sin($0.inclination / .degreesPerRadian) } ?? calibration.sineOfInclination)
    let wasDisturbed = detector.isDisturbed
    let isDisturbed = detector.isDisturbed(corrected, tilt: tilt(at: time), expected: expected, at: time)
    if isDisturbed { disturbedSince = disturbedSince ?? time }
    if !isDisturbed, wasDisturbed {
      // The mean still contains the field of the magnet, which would turn the next headings.
      (disturbedSince, field) = (nil, Self.noField)
      // Samples of the interference do not belong to the device.
      if collectsAnew { (samples, collectsAnew) = (CalibrationSamples(), false) }
      field.add(corrected, share: 1)
    }
    state = isDisturbed ? .disturbed : .calibrated
  }

  private mutating func heading(at time: Instant) -> Heading? {
    guard let field = field.value, let up = up.value, let lastUp, time - lastUp <= Self.gap,
      let attitude = Attitude(field: field, up: up), let magnetic = attitude.heading(of: orientation)
    else { return nil }
    var heading = Heading(time: time, magneticHeading: magnetic, field: field)
    let declination = reference.flatMap { $0.isBlackout ? nil : $0 }
    heading.trueHeading = declination.map { (magnetic + $0.declination).normalizedHeading }
    guard state == .calibrated, self.field.isSettled, self.up.isSettled || assumesLevel,
      let deviation = deviation(field: field, attitude, at: time)
    else { return heading }
    let degrees = deviation * .degreesPerRadian
    guard degrees < 90 else { return heading }
    heading.accuracy = degrees
    heading.trueAccuracy = declination.map { .hypot(degrees, $0.declinationUncertainty) }
    return heading
  }
}
