/// The figures of a rule against the true rooms.
///
/// A true change is one between stays of at least 15 s, because shorter ones are passages: a digest comes every 1 to 10 s, and a decision
/// takes two of them. A report matches a true change into its room from 2 s before to 30 s after it, or 10 s after a shorter stay. Reports
/// of true passages are neither required nor wrong. All others are false, and so is the return from a false one.
public struct RoomScore: Sendable {
  /// The shortest stay in seconds, and the window for a match.
  static let shortestStay = 15.0
  static let window = -2.0...30.0

  public internal(set) var changes = 0
  public internal(set) var matched = 0
  public internal(set) var falseReports = 0
  public internal(set) var delays: [Double] = []
  /// The reported changes of each tag that lies still, and the days of such tags.
  public internal(set) var flaps: [Int] = []
  public internal(set) var stillDays = 0.0
  /// The seconds of walking tags in the right room, and all.
  public internal(set) var rightSeconds = 0
  public internal(set) var seconds = 0
  public internal(set) var stillRightSeconds = 0
  public internal(set) var stillSeconds = 0

  public init() {}

  public var precision: Double { Double(matched) / Double(Swift.max(1, matched + falseReports)) }
  public var recall: Double { Double(matched) / Double(Swift.max(1, changes)) }
  public var rightShare: Double { Double(rightSeconds) / Double(Swift.max(1, seconds)) }
  public var stillRightShare: Double { Double(stillRightSeconds) / Double(Swift.max(1, stillSeconds)) }
  public var flapsPerDay: Double { Double(flaps.reduce(0, +)) / Swift.max(0.001, stillDays) }

  /// Returns the delay in seconds that a share of the matched changes does not exceed.
  public func delay(_ share: Double) -> Double {
    guard !delays.isEmpty else { return 0 }
    return delays.sorted()[Swift.min(delays.count - 1, Int(share * Double(delays.count)))]
  }

  public static func + (a: RoomScore, b: RoomScore) -> RoomScore {
    var sum = a
    sum.changes += b.changes
    sum.matched += b.matched
    sum.falseReports += b.falseReports
    sum.delays += b.delays
    sum.flaps += b.flaps
    sum.stillDays += b.stillDays
    sum.rightSeconds += b.rightSeconds
    sum.seconds += b.seconds
    sum.stillRightSeconds += b.stillRightSeconds
    sum.stillSeconds += b.stillSeconds
    return sum
  }
}

extension RoomScore {
  /// A reported change; nil means no room.
  struct Report: Hashable {
    var room: Int?
    var time: Double
  }

  /// Adds a walking tag: its true stays and the reports of a rule, both after the time of learning.
  mutating func add(stays: [RoomStay], reports: [Report]) {
    let passages = stays.filter { $0.end - $0.begin < Self.shortestStay }
    // Without the passages two stays in one room may follow one another, between which there is no change.
    var long: [RoomStay] = []
    for stay in stays where stay.end - stay.begin >= Self.shortestStay {
      if long.last?.room == stay.room { long[long.count - 1].end = stay.end } else { long.append(stay) }
    }
    let targets = Array(long.dropFirst())
    changes += targets.count
    var open = Set(targets.indices)
    var isExcused = false
    for report in reports {
      let match = open.filter { index in
        let target = targets[index]
        return target.room == report.room && report.time >= target.begin + Self.window.lowerBound
          && report.time <= Swift.min(target.begin + Self.window.upperBound, target.end + 10)
      }
      if let first = match.min() {
        open.remove(first)
        matched += 1
        delays.append(report.time - targets[first].begin)
        isExcused = false
        continue
      }
      let isPassage = passages.contains { $0.room == report.room && report.time >= $0.begin - 2 && report.time <= $0.end + 10 }
      let isReturn = isExcused && long.contains { $0.room == report.room && $0.begin <= report.time && report.time <= $0.end }
      isExcused = isPassage
      if !isPassage && !isReturn { falseReports += 1 }
    }
  }
}
