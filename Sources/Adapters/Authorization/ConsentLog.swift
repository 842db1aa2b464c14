import Instants

/// Who has asked and who is being told, on its way to the file.
///
/// All sessions of a claimant are one use, and what begins again soon after its end is the same use. So a client that starts and stops, or asks again and
/// again, makes the disk write once in `interval` and not each time.
public struct ConsentLog: Sendable {
  /// Between two writings; what begins again within it goes on.
  public static let interval = Span.seconds(10)
  /// What one user may make of it between two writings: a program that calls itself something else each time must not fill the memory.
  private static let mostPerUser = 64

  struct Use: Sendable {
    /// In the file; nil before it is there.
    var number: Int64?
    var began: Instant
    /// Nil while it lasts.
    var ended: Instant?
    /// Those that are told.
    var sessions = 0
    /// The file knows another end.
    var isNews = true
  }

  private(set) var requests: [Claimant: Instant] = [:]
  private(set) var uses: [Claimant: Use] = [:]

  public init() {}

  /// Whether there is something to write.
  public var hasNews: Bool { !requests.isEmpty || uses.values.contains(where: \.isNews) }

  public mutating func asked(_ claimant: Claimant, at time: Instant) {
    requests[claimant] = time
    guard requests.keys.count(where: { $0.user == claimant.user }) > Self.mostPerUser else { return }
    let oldest = requests.filter { $0.key.user == claimant.user }.min { $0.value < $1.value }
    if let oldest { requests[oldest.key] = nil }
  }

  /// One more session is told.
  public mutating func begin(_ claimant: Claimant, at time: Instant) {
    asked(claimant, at: time)
    makeRoom(for: claimant.user)
    var use = uses[claimant] ?? Use(began: time)
    use.sessions += 1
    if use.ended != nil { (use.ended, use.isNews) = (nil, true) }
    uses[claimant] = use
  }

  /// One session less.
  public mutating func end(_ claimant: Claimant, at time: Instant) {
    guard var use = uses[claimant], use.sessions > 0 else { return }
    use.sessions -= 1
    if use.sessions == 0 { (use.ended, use.isNews) = (time, true) }
    uses[claimant] = use
  }

  /// Whether the use of that number lasts.
  public func isInUse(_ number: Int64) -> Bool { uses.values.contains { $0.number == number && $0.sessions > 0 } }

  /// It is in the file under that number.
  mutating func wrote(_ claimant: Claimant, as number: Int64) {
    uses[claimant]?.number = number
    uses[claimant]?.isNews = false
  }

  /// All of it is in the file, or will never be. What ended longer ago than `interval` does not go on.
  public mutating func settle(at time: Instant) {
    requests = [:]
    uses = uses.filter { $0.value.ended.map { time - $0 < Self.interval } ?? true }
    for claimant in uses.keys { uses[claimant]?.isNews = false }
  }

  private mutating func makeRoom(for user: UInt32) {
    let over = uses.filter { $0.key.user == user && $0.value.sessions == 0 }
    guard over.count >= Self.mostPerUser, let oldest = over.min(by: { $0.value.began < $1.value.began }) else { return }
    uses[oldest.key] = nil
  }
}
