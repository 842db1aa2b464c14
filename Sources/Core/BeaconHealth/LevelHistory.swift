/// The level at which one adapter receives a beacon, over hours and days.
///
/// The median of each hour removes fading and passers-by. The lowest and the highest median of the first two days are the usual range, so
/// that doors and opening hours belong to it. A later hour counts as changed only beyond that range and a margin.
struct LevelHistory: Hashable, Sendable {
  /// A lasting change of the level.
  enum Change: Hashable, Sendable {
    /// The level has jumped, and stayed there.
    case jumped
    /// The level has fallen slowly.
    case faded
    /// The level is usual again.
    case returned
  }

  /// The hours from which the usual range is known.
  static let hoursToLearn = 48
  /// The dB beyond the usual range at which an hour counts as changed.
  static let margin = 6.0
  /// The dB between the level before a change and the changed one, from which the change is a jump.
  static let jump = 6.0
  /// The hours in which a jumped or returned level must agree.
  static let hoursOfJump = 6
  /// The hours in which a faded level must agree.
  static let hoursOfFading = 24
  /// The minimum number of sightings for the median of an hour.
  static let leastSightings = 20
  /// The weakest level of the histogram in dBm, and the number of its levels.
  private static let (weakest, count) = (-110, 100)

  private var histogram: [UInt16] = []
  private var sightings = 0
  /// The number of hours that had a median.
  private(set) var hours = 0
  private(set) var lowest = 0.0
  private(set) var highest = 0.0
  /// The mean of the medians of the first days.
  private(set) var usual = 0.0
  /// The mean of the medians of about a day, before the present change if there is one.
  private(set) var former = 0.0
  /// The consecutive hours beyond the usual range, negative below it.
  private(set) var streak = 0
  /// The consecutive hours within the usual range.
  private(set) var usualHours = 0
  /// Whether the last hour differs at once from the level before.
  private var hasJumped = false
  /// The median of the last hour; nil if the beacon was hardly heard in it.
  private(set) var median: Double?
  /// A mean of the last sightings.
  private(set) var recent: Double?

  init() {}

  /// Whether the usual range is known.
  var isLearned: Bool { hours >= Self.hoursToLearn }

  mutating func hear(_ rssi: Int8) {
    if histogram.isEmpty { histogram = Array(repeating: 0, count: Self.count) }
    let bin = min(max(Int(rssi) - Self.weakest, 0), Self.count - 1)
    if histogram[bin] < .max { histogram[bin] += 1 }
    sightings += 1
    recent = recent.map { $0 + (Double(rssi) - $0) / 4 } ?? Double(rssi)
  }

  /// Ends an hour. Its median is nil if the beacon was hardly heard.
  mutating func closeHour() {
    defer {
      sightings = 0
      for index in histogram.indices { histogram[index] = 0 }
    }
    guard sightings >= Self.leastSightings else {
      median = nil
      return
    }
    var left = histogram.reduce(0) { $0 + Int($1) } / 2
    let bin = histogram.firstIndex { count in
      left -= Int(count)
      return left < 0
    }
    median = bin.map { Double($0 + Self.weakest) }
  }

  /// Applies the hour that was closed.
  ///
  /// - Parameter shift: the dB by which all beacons changed, which is a change of the receiver.
  mutating func apply(shift: Double) {
    guard let level = median.map({ $0 - shift }) else { return }
    guard isLearned else {
      (lowest, highest) = hours == 0 ? (level, level) : (min(lowest, level), max(highest, level))
      usual += (level - usual) / Double(hours + 1)
      hours += 1
      former = usual
      return
    }
    let side = level < lowest - Self.margin ? -1 : level > highest + Self.margin ? 1 : 0
    usualHours = level > lowest - Self.margin / 2 && level < highest + Self.margin / 2 ? min(usualHours + 1, Self.hoursOfFading) : 0
    streak = side == 0 ? 0 : streak.signum() == side ? min(max(streak + side, -Self.hoursOfFading), Self.hoursOfFading) : side
    hasJumped = side != 0 && abs(level - former) >= Self.jump
    // Keeps the level before a jump.
    if !hasJumped { former += (level - former) / 24 }
  }

  /// The change that has lasted long enough; nil if there is none.
  var change: Change? {
    if abs(streak) >= Self.hoursOfJump, hasJumped { return .jumped }
    if streak <= -Self.hoursOfFading { return .faded }
    return usualHours >= Self.hoursOfJump ? .returned : nil
  }
}

extension LevelHistory {
  /// The learned numbers, in the order in which they are stored.
  var numbers: [Double] { [Double(hours), lowest, highest, usual, former, Double(streak), Double(usualHours)] }

  /// Restores learned numbers; nil if they cannot be true.
  init?(_ numbers: [Double]) {
    guard numbers.count == 7, numbers.allSatisfy(\.isFinite) else { return nil }
    let levels = numbers[1...4]
    guard (0...Double(Self.hoursToLearn)).contains(numbers[0]), levels.allSatisfy({ (-130...30).contains($0) }), numbers[1] <= numbers[2],
      abs(numbers[5]) <= Double(Self.hoursOfFading), (0...Double(Self.hoursOfFading)).contains(numbers[6])
    else { return nil }
    (hours, lowest, highest, usual, former) = (Int(numbers[0]), numbers[1], numbers[2], numbers[3], numbers[4])
    (streak, usualHours) = (Int(numbers[5]), Int(numbers[6]))
  }
}
