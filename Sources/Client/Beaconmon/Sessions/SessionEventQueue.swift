import FoundationEssentials

/// A bounded queue of events that a consumer has not taken yet.
///
/// It keeps the latest ranging of each constraint, the latest location and heading, and the last 256 of all other events. A consumer that
/// is too slow receives a gap.
struct SessionEventQueue {
  static let capacity = 256

  private var events: [SessionEvent] = []
  /// The number of elements in `events` that no later event replaces.
  private var kept = 0
  private var gapBegan: Date?

  var isEmpty: Bool { events.isEmpty && gapBegan == nil }

  /// - Parameter date: the present time.
  mutating func append(_ latest: SessionEvent, at date: Date) {
    if latest.isSnapshot {
      events.removeAll { latest.replaces($0) }
      events.append(latest)
      return
    }
    if kept == Self.capacity, let oldest = events.firstIndex(where: { !$0.isSnapshot }) {
      events.remove(at: oldest)
      kept -= 1
      gapBegan = gapBegan ?? date
    }
    events.append(latest)
    kept += 1
  }

  mutating func popFirst(at date: Date) -> SessionEvent? {
    if let gapBegan {
      self.gapBegan = nil
      return .service(.available(after: ServiceGap(from: gapBegan, to: date, cause: .notTaken)))
    }
    guard !events.isEmpty else { return nil }
    let first = events.removeFirst()
    if !first.isSnapshot { kept -= 1 }
    return first
  }
}

extension SessionEvent {
  /// True for events that make earlier ones of the same subject obsolete.
  fileprivate var isSnapshot: Bool {
    switch self {
    case .ranged, .located, .heading, .headingCalibration, .guidance(_, .state): true
    default: false
    }
  }

  fileprivate func replaces(_ old: SessionEvent) -> Bool {
    switch (self, old) {
    case (.ranged(let update), .ranged(let old)): update.constraint == old.constraint
    case (.located, .located), (.heading, .heading), (.headingCalibration, .headingCalibration): true
    case (.guidance(let token, .state), .guidance(let old, .state)): token == old
    default: false
    }
  }
}
