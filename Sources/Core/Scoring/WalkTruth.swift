import Instants

/// The true positions of a receiver on a walk, in metres, in the order of time.
public struct WalkTruth: Hashable, Sendable {
  public let times: [Instant]
  public let positions: [SIMD3<Double>]

  public static let columns = ["unix_time_s", "x_m", "y_m", "z_m"]

  /// Reads lines of Unix time in seconds, x, y and z in metres. A line at the time of the previous one is skipped.
  public init(csv: String) throws(PositionTableError) {
    var times: [Instant] = []
    var positions: [SIMD3<Double>] = []
    for row in try PositionTable(csv, required: Self.columns).rows {
      // Up to the year 9999, so that microseconds fit into an instant.
      let seconds = try row.number("unix_time_s", within: 253_402_300_799)
      let position = try row.position()
      let time = Instant(microseconds: Int64((seconds * 1e6).rounded()))
      if let last = times.last, time < last {
        throw PositionTableError(line: row.line, "unix_time_s: is before the previous line; sort the lines by time")
      }
      guard times.last != time else { continue }
      times.append(time)
      positions.append(position)
    }
    guard times.count >= 2 else { throw PositionTableError(line: nil, "there are fewer than two positions with different times") }
    self.times = times
    self.positions = positions
  }

  public var start: Instant { times[0] }
  public var end: Instant { times[times.count - 1] }

  /// Returns the position at `time`, interpolated linearly; the first or last position outside the walk.
  public func position(at time: Instant) -> SIMD3<Double> {
    let next = index(after: time)
    guard next > 0 else { return positions[0] }
    guard next < times.count else { return positions[times.count - 1] }
    let share = (time - times[next - 1]).seconds / (times[next] - times[next - 1]).seconds
    return positions[next - 1] + share * (positions[next] - positions[next - 1])
  }

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
