import Geodesy
import Glibc

/// Finds the circles that contain each of many fixes, one fix at a time, on the sphere that the peers use for the earth.
///
/// PREFIX.regions has rows of latitude, longitude and radius. PREFIX.fixes has rows of track, time, latitude and longitude. All are
/// little-endian doubles.
struct GeoPass {
  private static let earth = EarthFigure.sphere(radius: 6_371_008.8)

  private let fixes: [(track: Int, place: Coordinate)]
  private let index: CircleIndex
  private let buildSeconds: Double
  private let octets: Int

  init(prefix: String) {
    let regions = Self.rows(prefix + ".regions", of: 3)
    fixes = Self.rows(prefix + ".fixes", of: 4).map { row in
      guard let place = Coordinate(latitude: row[2], longitude: row[3]) else { fail("a fix is not on the earth", code: EX_DATAERR) }
      return (Int(row[0]), place)
    }
    let circles = regions.lazy.map { row in
      guard let center = Coordinate(latitude: row[0], longitude: row[1]), let circle = Circle(center: center, radius: row[2]) else {
        fail("a region is not a circle on the earth", code: EX_DATAERR)
      }
      return circle
    }
    // The first index also brings the code that builds it into memory.
    _ = CircleIndex(circles.prefix(100), figure: Self.earth)
    let before = residentKiB()
    let start = processorSeconds()
    index = CircleIndex(circles, figure: Self.earth)
    buildSeconds = processorSeconds() - start
    octets = (residentKiB() - before) * 1024
  }

  /// The counts of one walk over all fixes.
  private struct Tally {
    var memberships = 0
    var enters = 0
    var exits = 0
    var checksum = 0
  }

  /// Returns a line of JSON about the fastest pass.
  func run(_ passes: Int) -> String {
    var (best, tally) = (Double.infinity, Tally())
    for _ in 0..<passes {
      let start = processorSeconds()
      tally = walk()
      best = min(best, processorSeconds() - start)
    }
    return """
      {"peer":"beaconmon-geo","regions":\(index.count),"fixes":\(fixes.count),"memberships":\(tally.memberships),"enters":\(tally.enters),\
      "exits":\(tally.exits),"checksum":\(tally.checksum),"build_us_per_region":\(rounded(buildSeconds / Double(index.count) * 1e6, 3)),\
      "bytes_per_region":\(octets / index.count),"hwm_kib":\(peakResidentKiB()),"ns_per_fix":\(rounded(best / Double(fixes.count) * 1e9, 1))}
      """
  }

  private func walk() -> Tally {
    var tally = Tally()
    var previous: [ContiguousArray<UInt32>] = Array(repeating: [], count: 64)
    // No fix lies in more circles. An array would check before each number whether it is shared, unlike the vector of the peers.
    let numbers = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: index.count)
    defer { numbers.deallocate() }
    for (track, place) in fixes {
      var count = 0
      index.forEach(containing: place) { number in
        numbers[count] = UInt32(truncatingIfNeeded: number)
        count += 1
      }
      var current = UnsafeMutableBufferPointer(rebasing: numbers[..<count])
      if !zip(current, current.dropFirst()).allSatisfy({ $0 < $1 }) { current.sort() }
      if !Self.areEqual(current, previous[track]) {
        let found = ContiguousArray(current)
        Self.compare(found, to: previous[track], &tally)
        previous[track] = found
      }
      tally.memberships += count
      for number in current { tally.checksum &+= Int(number) + 1 }
    }
    return tally
  }

  /// Compares octets, as the vectors of the peers do.
  private static func areEqual(_ current: UnsafeMutableBufferPointer<UInt32>, _ previous: ContiguousArray<UInt32>) -> Bool {
    guard current.count == previous.count else { return false }
    return previous.withUnsafeBufferPointer { previous in
      guard let a = current.baseAddress, let b = previous.baseAddress else { return true }
      return memcmp(a, b, previous.count * MemoryLayout<UInt32>.stride) == 0
    }
  }

  /// Counts the differences of two lists in ascending order.
  private static func compare(_ current: ContiguousArray<UInt32>, to previous: ContiguousArray<UInt32>, _ tally: inout Tally) {
    var (a, b) = (0, 0)
    while a < current.count || b < previous.count {
      if b == previous.count || a < current.count && current[a] < previous[b] {
        tally.enters += 1
        a += 1
      } else if a == current.count || previous[b] < current[a] {
        tally.exits += 1
        b += 1
      } else {
        (a, b) = (a + 1, b + 1)
      }
    }
  }

  private static func rows(_ path: String, of width: Int) -> [[Double]] {
    let octets = contents(of: path)
    let numbers = octets.withUnsafeBytes { octets in
      (0..<octets.count / 8).map { Double(bitPattern: UInt64(littleEndian: octets.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))) }
    }
    return stride(from: 0, to: numbers.count - width + 1, by: width).map { Array(numbers[$0..<$0 + width]) }
  }
}
