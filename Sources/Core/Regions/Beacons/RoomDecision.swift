import Instants

/// The decision of the indoor position about a region that requires nearness, once a second.
///
/// The region is entered when a beacon is within the distance with a probability above one half. It is left when no beacon is within the
/// leaving distance with one half for two seconds, or at once below `leastProbability`. Docs/decisions/0049 has the figures.
struct RoomDecision: Sendable {
  /// The time after an estimate before sightings decide again. It is longer than a gap in the position.
  static let grace = Span.seconds(6)
  private static let probability = 0.5
  /// The probability below which the region is left at once.
  private static let leastProbability = 0.3
  private static let departureHold = Span.seconds(2)

  /// The end of the time for which the last estimate decides.
  private(set) var end = Instant(microseconds: .min)
  private var isNear = false
  private var nearSince = Instant.never
  private var farSince = Instant.never

  /// Returns whether the last estimate is valid and keeps the region inside.
  func isNear(at time: Instant) -> Bool { isNear && time < end }

  /// Applies the probability that the best beacon is within the distance.
  ///
  /// The distance is the entering one outside, and the leaving one inside.
  ///
  /// - Parameters:
  ///   - hold: for how long either condition must hold; `nil` for the default.
  ///   - mayEnter: whether no other beacon prevents the enter.
  ///   - isHeldBySignal: whether a beacon without a known place is close.
  mutating func judge(
    _ probability: Double, hold: Span?, at time: Instant, isInside: Bool, mayEnter: Bool, isHeldBySignal: Bool
  ) -> ConditionProgress.Verdict {
    if time >= end { (nearSince, farSince) = (.never, .never) }
    end = time + Self.grace
    if isInside {
      isNear = probability >= Self.probability
      guard !isNear, !isHeldBySignal else {
        farSince = .never
        return .satisfied
      }
      if farSince == .never { farSince = time }
      let isSure = hold == nil && probability < Self.leastProbability
      return isSure || time - farSince >= hold ?? Self.departureHold ? .departed : .nothing
    }
    isNear = probability > Self.probability && mayEnter
    guard isNear else {
      nearSince = .never
      return .nothing
    }
    if nearSince == .never { nearSince = time }
    return time - nearSince >= hold ?? .zero ? .satisfied : .nothing
  }

  /// Restarts the holds after a change of state.
  mutating func stateChanged() {
    (nearSince, farSince) = (.never, .never)
  }
}
