public import Instants

extension StationWalk {
  /// A reason why there are no times at which the stations were passed.
  public enum PassingTimesError: Error, Hashable, Sendable {
    /// The walk is between levels, and the time on the stairs is unknown.
    case timesRequired
    /// The times are not seconds in rising order.
    case notRising
    /// The number of times differs from the number of stations.
    case otherCount(times: Int, stations: Int)
    /// The last time is after the end of the walk, which lasts this long.
    case afterEnd(Span)
  }

  /// Returns the times at which the stations were passed.
  ///
  /// - Parameters:
  ///   - seconds: the typed seconds from the start, each nil if it is not a number; nil for a steady speed from the start to the end.
  ///   - end: the last sighting; the last station may be passed up to a second later.
  public func passingTimes(_ seconds: [Double?]?, from start: Instant, until end: Instant) throws(PassingTimesError) -> [Instant] {
    guard let seconds else {
      guard let times = times(from: start, until: end) else { throw .timesRequired }
      return times
    }
    let numbers = seconds.compactMap { $0 }.filter { $0.isFinite && $0 >= 0 }
    guard numbers.count == seconds.count, zip(numbers, numbers.dropFirst()).allSatisfy(<) else { throw .notRising }
    guard numbers.count == stations.count else { throw .otherCount(times: numbers.count, stations: stations.count) }
    guard let last = numbers.last, start + .seconds(last) <= end + .seconds(1) else { throw .afterEnd(end - start) }
    return numbers.map { start + .seconds($0) }
  }
}
