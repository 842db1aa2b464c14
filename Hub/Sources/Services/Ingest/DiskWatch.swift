import Instants

/// Notes the time in which the disk of the database is full. Every worker has a watch.
final class DiskWatch {
  /// Outages within this time are one: a disk that is nearly full takes some transactions.
  static let gap = Span.seconds(10)

  private let clock: any IngestClock
  private let outages: any OutageLog
  /// The uptime at the first failure of the present outage.
  private var began: Instant?
  private var sign: (any OutageSign)?

  init(clock: any IngestClock, _ outages: any OutageLog) { (self.clock, self.outages) = (clock, outages) }

  /// Notes the error that ended a session, and returns whether it means that the disk is full.
  func note(_ error: any Error) -> Bool {
    guard outages.isOfFullDisk(error) else { return false }
    let began = began ?? clock.uptime
    self.began = began
    if let sign, (try? sign.check()) != nil { return true }
    // The sign is missing only if the database takes no link. The next failure makes it then.
    sign = nil
    sign = try? outages.showFullDisk(for: clock.uptime - began)
    return true
  }

  /// Notes that the database stores again. Returns the time for which its disk was full; nil if it was not.
  func end() throws -> Span? {
    guard let began else { return nil }
    let time = clock.uptime - began
    try outages.storeFullDisk(for: time, joining: Self.gap)
    (self.began, sign) = (nil, nil)
    return time
  }
}
