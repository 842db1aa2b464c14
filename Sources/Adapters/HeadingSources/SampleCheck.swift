import Headings
import Instants
import Orientation
import Records

/// Decides which samples of a magnetometer are used, and counts them.
struct SampleCheck {
  /// The reason why a sample is not used.
  enum Refusal: UInt8, CaseIterable, Sendable {
    /// The driver reports an error.
    case error
    /// All axes are zero.
    case zero
    case saturated
    /// The driver repeats old values.
    case stale
    /// The kernel's buffer was full, so that scans are lost.
    case overrun
  }

  /// µT: the earth's field has at most 67 µT, and chips end at 1 to 5 mT.
  private static let strongest = 4_900.0

  private var samples: UInt64 = 0
  private var refusals = Tally<Refusal>()
  private var stale = StaleReadingTest()

  var counts: HeadingCounts { HeadingCounts(samples: samples, refused: refusals.counts) }
  var isStale: Bool { stale.isStale }

  /// Forgets the samples of an earlier start, and not their counts.
  mutating func begin() { stale = StaleReadingTest() }

  mutating func count(_ refusal: Refusal, times: Int) {
    for _ in 0..<min(times, 1000) { refusals.count(refusal) }
  }

  mutating func take(acceleration: SpaceVector) { stale.take(acceleration: acceleration) }
  mutating func take(rotation: SpaceVector, at time: Instant) { stale.take(rotation: rotation, at: time) }

  /// Takes a field, and returns whether it is used.
  mutating func take(field sample: SensorSample) -> Bool {
    samples += 1
    stale.take(field: sample.raw, at: sample.time)
    if let refusal = refusal(of: sample.value.length) {
      refusals.count(refusal)
      return false
    }
    return true
  }

  private func refusal(of strength: Double) -> Refusal? {
    guard strength > 1e-3 else { return .zero }
    guard strength < Self.strongest else { return .saturated }
    return stale.isStale ? .stale : nil
  }
}
