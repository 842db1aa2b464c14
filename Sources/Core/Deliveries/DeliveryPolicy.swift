import Instants

/// How patient one target is treated.
public struct DeliveryPolicy: Hashable, Sendable {
  /// After so long in the queue a delivery that fails is given up. Time in which the notifier does not run does not count.
  public var giveUp: Span
  /// The most attempts in a minute; nil: as fast as it goes.
  public var perMinute: Int?
  /// Events that are older when they are due are passed over; nil: none is too old.
  public var maximumAge: Span?
  /// After its first failure a target rests for up to this, and twice as long after each further one.
  public var firstPause: Span
  public var longestPause: Span

  public static let defaultGiveUp = Span.seconds(3 * 86_400)

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
