import Instants

/// The limits on time and rate for deliveries to one target.
public struct DeliveryPolicy: Hashable, Sendable {
  /// The time in the queue after which a failing delivery is given up.
  /// Time in which the notifier does not run does not count.
  public var giveUp: Span
  /// The maximum number of attempts in a minute; `nil` for no limit.
  public var perMinute: Int?
  /// The age above which a due event is skipped; `nil` for no limit.
  public var maximumAge: Span?
  /// The longest pause after a target's first failure; it doubles with each further failure.
  public var firstPause: Span
  public var longestPause: Span

  public static let defaultGiveUp = Span.seconds(3 * 86_400)
  /// A time after which no device runs any more: the deliveries are never given up.
  public static let noGiveUp = Span.seconds(100 * 365 * 86_400)

  public init(
    giveUp: Span = defaultGiveUp, perMinute: Int? = nil, maximumAge: Span? = nil, firstPause: Span = .seconds(2),
    longestPause: Span = .seconds(300)
  ) {
    self.giveUp = giveUp
    self.perMinute = perMinute
    self.maximumAge = maximumAge
    self.firstPause = firstPause
    self.longestPause = longestPause
  }
}
