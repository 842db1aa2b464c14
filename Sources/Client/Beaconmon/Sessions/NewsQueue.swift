import FoundationEssentials

/// What was told and not taken yet, bounded: of each constraint only the latest ranging, of all else the last 256. Who is that late is told of the gap.
struct NewsQueue {
  static let capacity = 256

  private var news: [News] = []
  /// Those of `news` that are no ranging.
  private var kept = 0
  private var gapBegan: Date?

  var isEmpty: Bool { news.isEmpty && gapBegan == nil }

  /// - Parameter date: of now.
  mutating func append(_ latest: News, at date: Date) {
    if case .ranged(let update) = latest {
      news.removeAll { if case .ranged(let old) = $0 { old.constraint == update.constraint } else { false } }
      news.append(latest)
      return
    }
    if kept == Self.capacity, let oldest = news.firstIndex(where: { !$0.isRanging }) {
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
    if !first.isRanging { kept -= 1 }
    return first
  }
}

extension News {
  fileprivate var isRanging: Bool {
    if case .ranged = self { true } else { false }
  }
}
