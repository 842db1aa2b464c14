import Instants

/// Decides when a magnetometer or its accelerometer has failed, and when their buffers are avoided.
///
/// A source whose sensors have failed counts as absent for a pause, in which another source is used.
public struct SensorWatch: Sendable {
  /// A decision about the sensors that are read.
  public enum Step: Hashable, Sendable {
    /// Starts again without buffers.
    ///
    /// The trigger of a buffer may not run, and a sensor hub sends nothing to it while its values stay the same.
    case avoidBuffers
    case fail(Failure)
  }

  public enum Failure: Hashable, Sendable {
    /// The driver of the magnetometer reports this error number.
    case error(Int32)
    /// The magnetometer sends fields that cannot be used: old ones, or those of a chip that does not measure.
    case refused(isStale: Bool)
    case noField
    case noAcceleration
  }

  /// The longest time without a usable field, or without an acceleration.
  private static let patience = Span.seconds(2)
  /// The time without samples after the sensors were switched on, if that took longer.
  private static let patienceAfterOpening = Span.seconds(1)
  /// The pause after a failure.
  private static let pause = Span.seconds(5)
  /// The time after a buffer that sent nothing, in which a start uses attributes.
  private static let bufferPause = Span.seconds(600)

  /// The end of the pause after a failure.
  public private(set) var heldUntil = Instant(microseconds: .min)
  /// Whether the sensors that were started have an accelerometer.
  public private(set) var hasAccelerometer = false
  /// Whether attributes are read because a buffer has sent nothing.
  public private(set) var avoidsBuffers = false
  /// The device whose buffer has sent nothing, and the time from which it may be tried again.
  private var bufferAttempt: (device: String, time: Instant)?
  private var device = ""
  /// Whether the drivers have switched the sensors on since the start.
  private var isOpen = false
  private var lastField = Instant.never
  private var lastAcceleration = Instant.never
  /// The latest result of the magnetometer that is of no use, since the last field that was used.
  private var shortcoming: Failure?

  public init() {}

  /// Whether the pause after a failure lasts.
  public func isHeld(at now: Instant) -> Bool { now < heldUntil }

  /// Notes the start of the sensors.
  ///
  /// - Parameter device: the name of the magnetometer. The buffer of another one is not avoided.
  public mutating func begin(_ device: String, hasAccelerometer: Bool, at now: Instant) {
    (self.device, self.hasAccelerometer, isOpen, shortcoming) = (device, hasAccelerometer, false, nil)
    (lastField, lastAcceleration) = (now, now)
    avoidsBuffers = bufferAttempt.map { $0.device == device && now < $0.time } ?? false
  }

  /// Notes a failure, also of the start.
  public mutating func fail(at now: Instant) { heldUntil = now + Self.pause }

  // MARK: Results of reads

  public mutating func takeAcceleration(at now: Instant) { lastAcceleration = now }

  /// Notes a field that is used.
  public mutating func takeField(at now: Instant) { (lastField, shortcoming) = (now, nil) }

  /// Notes a field that is not used.
  public mutating func refuseField(isStale: Bool) { shortcoming = .refused(isStale: isStale) }

  /// Notes an error of the driver of the magnetometer.
  public mutating func note(error: Int32) { shortcoming = .error(error) }

  /// Decides after each read, whose results have been noted.
  ///
  /// - Parameters:
  ///   - isFieldBuffered: whether the field comes from a buffer.
  ///   - isAccelerationBuffered: whether the acceleration comes from a buffer.
  public mutating func step(isFieldBuffered: Bool, isAccelerationBuffered: Bool, at now: Instant) -> Step? {
    if !isOpen {
      // A driver may take longer to switch its sensor on than a sample takes.
      let begin = now + Self.patienceAfterOpening - Self.patience
      (isOpen, lastField, lastAcceleration) = (true, max(lastField, begin), max(lastAcceleration, begin))
    }
    guard now - lastField >= Self.patience else {
      // Without an acceleration, the direction of a tilted device would be wrong.
      guard hasAccelerometer, now - lastAcceleration >= Self.patience else { return nil }
      return isAccelerationBuffered ? avoidBuffers(at: now) : .fail(.noAcceleration)
    }
    if let shortcoming { return .fail(shortcoming) }
    return isFieldBuffered ? avoidBuffers(at: now) : .fail(.noField)
  }

  private mutating func avoidBuffers(at now: Instant) -> Step {
    bufferAttempt = (device, now + Self.bufferPause)
    return .avoidBuffers
  }
}
