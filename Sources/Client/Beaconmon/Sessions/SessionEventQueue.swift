import FoundationEssentials

/// A bounded queue of news that a consumer has not taken yet.
///
/// It keeps the latest ranging of each constraint, the latest location, and the last 256 of all other news. A consumer that is too
/// slow receives a gap.
struct SessionEventQueue {
  static let capacity = 256

  private var news: [SessionEvent] = []
  /// The number of elements in `news` that no later news replace.
  private var kept = 0
  private var gapBegan: Date?

  var isEmpty: Bool { news.isEmpty && gapBegan == nil }

  /// - Parameter date: the present time.
  mutating func append(_ latest: SessionEvent, at date: Date) {
    if latest.isSnapshot {
      news.removeAll { latest.replaces($0) }
      news.append(latest)
      return
    }
    if kept == Self.capacity, let oldest = news.firstIndex(where: { !$0.isSnapshot }) {
      news.remove(at: oldest)
      kept -= 1
      gapBegan = gapBegan ?? date
    }
    news.append(latest)
    kept += 1
  }

  mutating func popFirst(at date: Date) -> SessionEvent? {
    if let gapBegan {
      self.gapBegan = nil
      return .service(.available(after: ServiceGap(from: gapBegan, to: date, cause: .notTaken)))
    }
    guard !news.isEmpty else { return nil }
    let first = news.removeFirst()
    if !first.isSnapshot { kept -= 1 }
    return first
  }
}

extension SessionEvent {
  /// True for news that make earlier ones of the same subject obsolete.
  fileprivate var isSnapshot: Bool {
    switch self {
    case .ranged, .located: true
    default: false
    }
  }

  fileprivate func replaces(_ old: SessionEvent) -> Bool {
    switch (self, old) {
    case (.ranged(let update), .ranged(let old)): update.constraint == old.constraint
    case (.located, .located): true
    default: false
    }
  }
}
