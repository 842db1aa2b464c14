import Headings
import Instants

/// Slows the reads of sensors that are at rest.
///
/// A device on a stand would otherwise spend its power on samples that say the same. The first sample that differs restores the pace.
struct ReadingPace {
  /// The time without a change after which sensors are at rest.
  private static let patience = Span.seconds(2)
  /// The time between two reads at rest, as a multiple of the usual one.
  /// At 25 reads a second, a magnet is still found within 0.2 s: 0.06 s until it is read, and 0.1 s until it is accepted.
  private static let slowness = 1.5

  /// The samples that the latest ones are compared with, by the order of their quantities.
  private var references = [SpaceVector?](repeating: nil, count: IIOQuantity.allCases.count)
  private var lastChange: Instant?

  mutating func take(_ sample: SensorSample) {
    let index = sample.quantity.order
    if let reference = references[index], (sample.value - reference).length <= sample.quantity.noise {
      if lastChange.map({ sample.time < $0 }) ?? true { lastChange = sample.time }
    } else {
      (references[index], lastChange) = (sample.value, sample.time)
    }
  }

  /// Whether no sample has differed for a while.
  func isAtRest(at now: Instant) -> Bool { lastChange.map { now - $0 >= Self.patience } ?? false }

  /// Returns the time until the next read.
  func interval(_ usual: Span, at now: Instant) -> Span { isAtRest(at: now) ? usual * Self.slowness : usual }
}

extension IIOQuantity {
  /// The largest difference of two samples at rest, in µT, m/s² or rad/s.
  fileprivate var noise: Double {
    switch self {
    case .field: 3
    case .acceleration: 0.5
    case .rotation: 0.1
    }
  }
}
