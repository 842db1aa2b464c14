import Instants

/// Decides when the compass of a service is asked for, read, offered again after a denial, and released.
///
/// The service lends it to programs that claim it.
/// A claim keeps the sensor of the service on until it is released.
public struct CompassClaim: Sendable {
  public enum Step: Hashable, Sendable {
    /// Asks the service whether it has a compass.
    case ask
    /// Reads the heading, because a device at rest sends none.
    case read
    /// Offers the compass again, whose denial may have ended.
    case offer
  }

  private enum State {
    case free
    /// The compass was claimed, and the service may hold the claim.
    case requested
    case granted
  }

  /// The time between two readings.
  private static let interval = Span.seconds(1)
  /// The pause after a denial, because permissions change only when an administrator changes them.
  private static let pauseAfterDenial = Span.seconds(600)

  /// Whether the running service has a compass.
  public private(set) var hasCompass = false
  private var isRunning = false
  private var state = State.free
  private var (askAt, readAt, offerAt) = (Instant.never, Instant.never, Instant.never)
  /// The pauses between questions that the service did not answer.
  private var questions = Backoff(from: .seconds(1), to: .seconds(600))

  public init() {}

  /// Whether the compass can be claimed.
  public var isAvailable: Bool { hasCompass && offerAt == .never }

  /// Whether the service may hold a claim of this program, whose headings count.
  public var isClaimed: Bool { state != .free }

  /// The time of the next step.
  public var deadline: Instant { min(askAt, readAt, offerAt) }

  /// Returns a step that is due; nil if there is none.
  public mutating func nextStep(at now: Instant) -> Step? {
    if askAt <= now {
      askAt = .never
      return .ask
    }
    if offerAt <= now {
      offerAt = .never
      return .offer
    }
    guard readAt <= now else { return nil }
    readAt = .never
    return .read
  }

  // MARK: The service

  /// Notes that the service has started or ended. Another process of the service has no claim, and perhaps no compass.
  public mutating func changeService(isRunning: Bool, at now: Instant) {
    self = CompassClaim()
    self.isRunning = isRunning
    if isRunning { askAt = now }
  }

  /// Takes the answer whether there is a compass, and returns whether that has changed.
  ///
  /// - Parameter value: nil if the service did not answer, in which case the question is repeated.
  public mutating func take(hasCompass value: Bool?, at now: Instant) -> Bool {
    guard isRunning else { return false }
    guard let value else {
      askAt = now + questions.next()
      return false
    }
    askAt = .never
    questions.reset()
    defer { hasCompass = value }
    return value != hasCompass
  }

  // MARK: The claim

  /// Notes that the compass is claimed, which the service may have to answer yet.
  public mutating func begin() { state = .requested }

  /// Notes that the service has granted the claim.
  public mutating func grant(at now: Instant) { (state, readAt) = (.granted, now) }

  /// Notes that the heading was read.
  public mutating func takeReading(at now: Instant) { readAt = now + Self.interval }

  /// Notes that this program may not use the compass.
  public mutating func deny(at now: Instant) {
    if state == .requested { state = .free }
    offerAt = now + Self.pauseAfterDenial
  }

  /// Ends the use of the compass, and returns whether the claim has to be released.
  public mutating func end() -> Bool {
    defer { (state, readAt) = (.free, .never) }
    return isClaimed
  }
}
