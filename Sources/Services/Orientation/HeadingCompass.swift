import Headings
import Instants
import Locations

/// The direction that the active source gives: by an estimator from sensors, or by the headings of a compass.
struct HeadingCompass {
  private var estimator: HeadingEstimator?
  /// A stored calibration that the field has not confirmed yet.
  private var check: CalibrationCheck?
  private var stored: MagneticCalibration?
  private var heading: Heading?
  private var disturbedSince: Instant?
  private var readings = Compass()
  private var reading: HeadingReport?
  /// Whether headings come from a compass; otherwise they come from sensors.
  private var isCompass = false
  private let begin: Instant
  /// The latest field in µT as the sensor measures it; nil before the first sample.
  private(set) var field: SpaceVector?

  /// The time in which a stored calibration may be confirmed before it counts as uncertain.
  private static let confirmation = Span.seconds(3)
  /// The duration of interference after which the device may have changed and has to be turned.
  private static let lasting = Span.seconds(30)
  /// The age of a reading that belongs to the same direction.
  private static let patience = Span.seconds(3)

  /// The number of directions of a calibration.
  private static let directions = 96

  /// - Parameter calibration: the stored one of the device; it is checked before it is used.
  init(_ calibration: MagneticCalibration? = nil, at now: Instant = Instant(microseconds: 0)) {
    stored = calibration
    begin = now
    check = calibration.map(CalibrationCheck.init)
  }

  var isDisturbed: Bool { estimator?.state == .disturbed }

  /// The calibration that the field has confirmed.
  var trustedCalibration: MagneticCalibration? { check == nil && !isDisturbed ? estimator?.calibration : nil }

  var state: HeadingSourceStatus.State {
    guard let estimator else { return reading != nil ? .measuring : isCompass ? .uncalibrated : .starting }
    switch estimator.state {
    case .unavailable: return .starting
    case .uncalibrated: return .uncalibrated
    case .disturbed: return .disturbed
    case .calibrated: return check == nil ? .measuring : .uncalibrated
    }
  }

  mutating func take(acceleration: SpaceVector, at time: Instant) {
    makeEstimator()
    estimator?.take(acceleration: acceleration, at: time)
  }

  mutating func take(rotation: SpaceVector, at time: Instant) {
    makeEstimator()
    estimator?.take(rotation: rotation, at: time)
  }

  mutating func take(field sample: SpaceVector, at time: Instant, reference: MagneticReference?, assumesLevel: Bool) {
    makeEstimator()
    estimator?.assumesLevel = assumesLevel
    estimator?.reference = reference
    heading = estimator?.take(field: sample, at: time)
    confirm(sample, at: time, reference)
    disturbedSince = isDisturbed ? disturbedSince ?? time : nil
    field = sample
  }

  mutating func take(_ reading: HeadingReading, at time: Instant) {
    isCompass = true
    readings.take(reading, at: time)
    self.reading = readings.report(at: time, patience: Self.patience)
  }

  /// Forgets the heading of a compass, which knows none now.
  mutating func forgetReading() {
    isCompass = true
    (readings, reading) = (Compass(), nil)
  }

  private mutating func makeEstimator() {
    if estimator == nil { estimator = HeadingEstimator(calibration: stored) }
  }

  private mutating func confirm(_ sample: SpaceVector, at time: Instant, _ reference: MagneticReference?) {
    guard check != nil else { return }
    // A calibration of the present samples needs no confirmation.
    guard estimator?.calibration == stored else {
      check = nil
      return
    }
    check?.take(sample, up: estimator?.steadyUp(at: time), reference: reference)
    if check?.isPassed == true { check = nil }
  }
}

// MARK: Output

extension HeadingCompass {
  /// Returns the direction of an edge, and the field; without a direction if it is not known.
  func update(for orientation: DeviceOrientation, reference: MagneticReference?) -> HeadingUpdate {
    var update = HeadingUpdate()
    if let field { update.setField(x: field.x, y: field.y, z: field.z) }
    let declination = reference.flatMap { $0.isBlackout ? nil : $0 }
    if let reading {
      let magnetic = reading.magneticHeading ?? reading.trueHeading.flatMap { known in declination.map { known - $0.declination } }
      let trueHeading = reading.trueHeading ?? reading.magneticHeading.flatMap { known in declination.map { known + $0.declination } }
      update.setDirection(.heading, magnetic: magnetic.map { $0 + orientation.angle }, true: trueHeading.map { $0 + orientation.angle })
      return update
    }
    guard let estimator, estimator.state == .calibrated, check == nil, let accuracy = heading?.accuracy,
      let magnetic = estimator.magneticHeading(of: orientation)
    else { return update }
    update.setDirection(.heading, magnetic: magnetic, true: declination.map { magnetic + $0.declination })
    update.accuracy = accuracy
    update.trueAccuracy = declination.map { (accuracy * accuracy + $0.declinationUncertainty * $0.declinationUncertainty).squareRoot() }
    return update
  }

  /// The magnetic heading of the top edge and its accuracy in degrees; nil unless both are known.
  var topEdge: (heading: Double, accuracy: Double)? {
    guard estimator?.state == .calibrated, check == nil, let heading, let accuracy = heading.accuracy,
      let magnetic = estimator?.magneticHeading(of: .portrait)
    else { return nil }
    return (magnetic, accuracy)
  }

  /// Whether the user has to turn the device; nil while that is not known after a start.
  func needsCalibration(at now: Instant) -> Bool? {
    guard let estimator else { return reading == nil ? nil : false }
    switch estimator.state {
    case .unavailable: return nil
    case .uncalibrated: return true
    case .disturbed:
      if let disturbedSince, now - disturbedSince >= Self.lasting { return true }
      return check == nil ? false : nil
    case .calibrated:
      guard check != nil else { return false }
      return now - begin >= Self.confirmation ? true : nil
    }
  }

  func calibrationStatus(isNeeded: Bool) -> CalibrationStatus {
    let covered = estimator?.coveredDirections ?? Array(repeating: false, count: Self.directions)
    let share = covered.isEmpty ? 0 : Double(covered.count { $0 }) / Double(covered.count)
    // Half of the directions suffice when they surround the device.
    let progress = isNeeded ? min(0.99, share / 0.5) : state == .measuring ? 1 : min(0.99, share / 0.5)
    return CalibrationStatus(isNeeded: isNeeded, progress: progress, covered: covered)
  }
}
