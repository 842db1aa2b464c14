import RealModule
import Venues

// MARK: Distances

extension RoomFilter {
  /// Returns the distance to a transmitter over all levels.
  public func distance(to transmitter: Int) -> RoomDistance {
    let sums = logarithmicMoments(of: transmitter)
    // From base 2 and squares to the natural logarithm of the distance.
    let factor = Double.log(2) / 2
    let mean = sums.first * factor
    let variance = max(0, sums.second - sums.first * sums.first) * factor * factor
    return RoomDistance(metres: Double.exp(mean), deviation: variance.squareRoot())
  }

  /// Returns the mean of the logarithm to base 2 of the squared distance, and the mean of its square.
  ///
  /// - Parameter least: the least logarithm.
  func logarithmicMoments(of transmitter: Int, least: Float = -20) -> (first: Double, second: Double) {
    var (mass, first, second) = (0.0, 0.0, 0.0)
    forEachTile(of: transmitter) { logarithms, cells, count in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * RoomGrid.side) { sums in
        guard let m = sums.baseAddress else { return }
        sums.initialize(repeating: 0)
        let (a, b) = (m + RoomGrid.side, m + 2 * RoomGrid.side)
        var start = 0
        while start < count {
          var i = 0
          while i < RoomGrid.side {
            let p = cells[start &+ i]
            let value = logarithms[start &+ i]
            let logarithm = value < least ? least : value
            m[i] += p
            a[i] += p * logarithm
            b[i] += p * logarithm * logarithm
            i &+= 1
          }
          start &+= RoomGrid.side
        }
        mass += RowSums.total(ofRow: m)
        first += RowSums.total(ofRow: a)
        second += RowSums.total(ofRow: b)
      }
    }
    return mass > 0 ? (first / mass, second / mass) : (0, 0)
  }

  /// Calls `body` for each tile with the logarithms to base 2 of squared distances, the probabilities and the cell count.
  @inline(__always)
  private func forEachTile(of transmitter: Int, _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int) -> Void) {
    let grid = model.grid
    var buffer = ContiguousArray<Float>(repeating: 0, count: RoomGrid.area)
    buffer.withUnsafeMutableBufferPointer { buffer in
      cells.withUnsafeBufferPointer { cells in
        guard let buffer = buffer.baseAddress, let cells = cells.baseAddress else { return }
        for (slot, number) in live.enumerated() {
          let rows = grid.rows(of: Int(number))
          table.with(transmitter, model.places[transmitter], Int(number), grid, rows, buffer) { logarithms in
            body(logarithms, cells + slot * RoomGrid.area, rows.count * RoomGrid.side)
          }
        }
      }
    }
  }

  /// Returns the probability that a transmitter is closer than a distance in metres, over all levels.
  public func probability(of transmitter: Int, within metres: Double) -> Double {
    let limit = metres > 0 ? Float(2 * Double.log2(metres)) : -.infinity
    var (mass, sum) = (0.0, 0.0)
    forEachTile(of: transmitter) { logarithms, cells, count in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * RoomGrid.side) { sums in
        guard let all = sums.baseAddress else { return }
        sums.initialize(repeating: 0)
        let inside = all + RoomGrid.side
        var start = 0
        while start < count {
          var i = 0
          while i < RoomGrid.side {
            let p = cells[start &+ i]
            all[i] += p
            inside[i] += logarithms[start &+ i] < limit ? p : 0
            i &+= 1
          }
          start &+= RoomGrid.side
        }
        mass += RowSums.total(ofRow: all)
        sum += RowSums.total(ofRow: inside)
      }
    }
    return mass > 0 ? sum / mass : 0
  }
}
