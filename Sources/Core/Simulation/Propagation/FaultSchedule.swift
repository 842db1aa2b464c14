import Instants

/// The changes of all faults in order of time.
/// They are computed on demand, because faults may repeat without end.
struct FaultSchedule: Sendable {
  private struct Course: Sendable {
    var begins: Instant
    let changes: [(after: Span, change: FaultChange)]
    let every: Span?
    var index = 0

    var next: Instant { index < changes.count ? begins + changes[index].after : .never }

    mutating func advance() {
      index += 1
      guard index == changes.count, let every else { return }
      (begins, index) = (begins + every, 0)
    }
  }

  private var courses: [Course]

  init(_ faults: [Fault], from start: Instant) {
    courses = faults.map { Course(begins: start + $0.at, changes: $0.changes, every: $0.every) }
  }

  /// The time of the next change; `.never` if there is none.
  var next: Instant { courses.lazy.map(\.next).min() ?? .never }

  /// Takes the change at that time; of several simultaneous changes, that of the first fault in the scenario.
  mutating func take() -> FaultChange? {
    let time = next
    guard time != .never, let index = courses.firstIndex(where: { $0.next == time }) else { return nil }
    defer { courses[index].advance() }
    return courses[index].changes[courses[index].index].change
  }
}

extension Fault {
  fileprivate var changes: [(after: Span, change: FaultChange)] {
    switch kind {
    case .outage(let adapter, let noticedAfter):
      // An outage that ends before the device has noticed it stays unnoticed.
      [(.zero, .adapterOut(adapter))] + (noticedAfter < lasts ? [(noticedAfter, .outageNoticed(adapter))] : [])
        + [(lasts, .adapterBack(adapter))]
    case .positionOutage(let isSilent):
      [(.zero, .positionLost(isSilent: isSilent)), (lasts, .positionBack(isSilent: isSilent))]
    case .restart: [(.zero, .daemonEnds), (lasts, .daemonStarts)]
    case .clockStep(let span): [(.zero, .clockStep(by: span))]
    }
  }
}
