import FoundationEssentials

/// What was told and not taken yet, bounded: of each constraint only the latest ranging, of locations the latest, of all else the last 256. Who is that late is told of the
/// gap.
struct NewsQueue {
  static let capacity = 256

  private var news: [News] = []
  /// Those of `news` that no later one replaces.
  private var kept = 0
  private var gapBegan: Date?

  var isEmpty: Bool { news.isEmpty && gapBegan == nil }

  /// - Parameter date: of now.
  mutating func append(_ latest: News, at date: Date) {
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

  mutating func popFirst(at date: Date) -> News? {
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

extension News {
  /// How things stand: what was so before is of no use any more.
  fileprivate var isSnapshot: Bool {
    switch self {
    case .ranged, .located: true
    default: false
    }
  }

  fileprivate func replaces(_ old: News) -> Bool {
    switch (self, old) {
    case (.ranged(let update), .ranged(let old)): update.constraint == old.constraint
    case (.located, .located): true
    default: false
    }
  }
}
