import Instants

/// The marks of an axis of time: round times, with their texts.
struct TimeTicks {
  private static let steps: [Double] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
  ]

  let marks: [(time: Instant, text: String)]

  /// - Parameters:
  ///   - most: the number of intervals between the marks that is not exceeded.
  init(_ period: ClosedRange<Instant>, _ format: TimeFormat, most: Double = 10) {
    let epoch = Instant(microseconds: 0)
    let length = (period.upperBound - period.lowerBound).seconds
    let step = Self.steps.first { length / $0 <= most } ?? length
    var marks: [(time: Instant, text: String)] = []
    var tick = ((period.lowerBound - epoch).seconds / step).rounded(.up) * step
    while Double(marks.count) <= most + 1, case let moment = epoch + .seconds(tick), moment <= period.upperBound {
      marks.append((moment, step < 86_400 ? format.clock(moment) : format.day(moment)))
      tick += step
    }
    self.marks = marks
  }
}
