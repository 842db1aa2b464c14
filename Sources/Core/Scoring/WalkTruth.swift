public import Instants
public import Venues

/// The true positions of a receiver on a walk, in metres, in the order of time.
public struct WalkTruth: Hashable, Sendable {
  public let times: [Instant]
  public let positions: [SIMD3<Double>]
  /// The ordinals of the levels: fractions on stairs and in lifts, `nil` where unknown.
  public let storeys: [Double?]

  public static let columns = ["unix_time_s", "x_m", "y_m", "z_m"]

  /// Creates the truth of a walk; `nil` without two positions with different times in order.
  public init?(times: [Instant], positions: [SIMD3<Double>], storeys: [Double?]) {
    guard times.count >= 2, positions.count == times.count, storeys.count == times.count, zip(times, times.dropFirst()).allSatisfy(<)
    else { return nil }
    (self.times, self.positions, self.storeys) = (times, positions, storeys)
  }

  /// Reads lines of Unix time in seconds, x, y and z in metres. A line at the time of the previous one is skipped.
  ///
  /// The optional column `level` has the ordinal of the level: a fraction on stairs and in lifts, and nothing where it is unknown.
  public init(csv: String) throws(PositionTableError) {
    var times: [Instant] = []
    var positions: [SIMD3<Double>] = []
    var storeys: [Double?] = []
    for row in try PositionTable(csv, required: Self.columns).rows {
      // Up to the year 9999, so that microseconds fit into an instant.
      let seconds = try row.number("unix_time_s", within: 253_402_300_799)
      let position = try row.position()
      let storey = try row.optionalNumber("level", within: 1000)
      let time = Instant(microseconds: Int64((seconds * 1e6).rounded()))
      if let last = times.last, time < last {
        throw PositionTableError(line: row.line, "unix_time_s: is before the previous line; sort the lines by time")
      }
      guard times.last != time else { continue }
      times.append(time)
      positions.append(position)
      storeys.append(storey)
    }
    guard times.count >= 2 else { throw PositionTableError(line: nil, "there are fewer than two positions with different times") }
    self.times = times
    self.positions = positions
    self.storeys = storeys
  }

  public var start: Instant { times[0] }
  public var end: Instant { times[times.count - 1] }

  /// Returns whether a capture has a moment of the walk.
  public func overlaps(_ times: ClosedRange<Instant>) -> Bool { times.upperBound >= start && times.lowerBound <= end }

  /// Returns the position at `time`, interpolated linearly; the first or last position outside the walk.
  public func position(at time: Instant) -> SIMD3<Double> {
    let next = index(after: time)
    guard next > 0 else { return positions[0] }
    guard next < times.count else { return positions[times.count - 1] }
    let share = (time - times[next - 1]).seconds / (times[next] - times[next - 1]).seconds
    return positions[next - 1] + share * (positions[next] - positions[next - 1])
  }

  /// Returns the ordinal of the level at `time`; `nil` on stairs, in a lift, where it is unknown and outside the walk.
  public func level(at time: Instant) -> Int? {
    let next = index(after: time)
    guard next > 0, let before = storeys[next - 1], before == before.rounded() else { return nil }
    if times[next - 1] == time { return Int(before) }
    return next < times.count && storeys[next] == before ? Int(before) : nil
  }

  /// Returns the ordinal of the level nearest to a position; `nil` if it is unknown.
  func nearestLevel(_ index: Int) -> Int? { storeys[index].map { Int($0.rounded()) } }

  /// Returns the index of the first position later than `time`.
  func index(after time: Instant) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
