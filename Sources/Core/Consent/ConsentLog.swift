import Instants

/// The requests for consent and the uses of the service that are not in the file yet.
///
/// All sessions of a claimant are one use, and a use that begins again within `interval` continues. A client that starts and stops, or
/// requests consent, again and again therefore causes one write in `interval`, and not one each time.
public struct ConsentLog: Sendable {
  /// The time between two writes, and the longest pause within one use.
  public static let interval = Span.seconds(10)
  /// The maximum number of one user's entries between two writes.
  /// A program that claims another name each time must not fill the memory.
  private static let mostPerUser = 64

  public struct Use: Sendable {
    /// The number in the file; nil before the use is there.
    public var number: Int64?
    public var began: Instant
    /// The end; nil while the use lasts.
    public var ended: Instant?
    /// The number of sessions that receive data.
    var sessions = 0
    /// Whether this state is not in the file yet.
    public fileprivate(set) var isNews = true

    fileprivate init(began: Instant) {
      self.began = began
    }
  }

  public private(set) var requests: [Claimant: Instant] = [:]
  public private(set) var uses: [Claimant: Use] = [:]

  public init() {}

  /// Whether there are changes to write.
  public var hasNews: Bool { !requests.isEmpty || uses.values.contains(where: \.isNews) }

  /// Records a request for consent.
  public mutating func asked(_ claimant: Claimant, at time: Instant) {
    requests[claimant] = time
    guard requests.keys.count(where: { $0.user == claimant.user }) > Self.mostPerUser else { return }
    let oldest = requests.filter { $0.key.user == claimant.user }.min { $0.value < $1.value }
    if let oldest { requests[oldest.key] = nil }
  }

  /// Records that one more session receives data.
  public mutating func begin(_ claimant: Claimant, at time: Instant) {
    asked(claimant, at: time)
    makeRoom(for: claimant.user)
    var use = uses[claimant] ?? Use(began: time)
    use.sessions += 1
    if use.ended != nil { (use.ended, use.isNews) = (nil, true) }
    uses[claimant] = use
  }

  /// Records that one session less receives data.
  public mutating func end(_ claimant: Claimant, at time: Instant) {
    guard var use = uses[claimant], use.sessions > 0 else { return }
    use.sessions -= 1
    if use.sessions == 0 { (use.ended, use.isNews) = (time, true) }
    uses[claimant] = use
  }

  /// Returns whether the use of that number lasts.
  public func isInUse(_ number: Int64) -> Bool { uses.values.contains { $0.number == number && $0.sessions > 0 } }

  /// Records that the claimant's use is in the file under that number.
  public mutating func wrote(_ claimant: Claimant, as number: Int64) {
    uses[claimant]?.number = number
    uses[claimant]?.isNews = false
  }

  /// Makes every lasting use a new one, for another file that contains none of them.
  public mutating func restart() {
    uses = uses.filter { $0.value.ended == nil }
    for claimant in uses.keys {
      uses[claimant]?.number = nil
      uses[claimant]?.isNews = true
    }
  }

  /// Drops the entries that are in the file or will never be, and the uses that ended longer ago than `interval`.
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
