import FleetMessages

/// The numbers of the hub's messages that were handled since the start of the process, the newest ones.
struct HandledMessages {
  private static let most = 256

  /// The numbers that no acknowledged report has, the oldest first.
  private(set) var unacknowledged: [Int64] = []
  private var recent: [Int64] = []

  /// The numbers for the next report.
  var next: [Int64] { Array(unacknowledged.prefix(DeviceReport.maximumAcknowledged)) }

  /// Notes that a message has come again; false if it was not handled.
  ///
  /// A message may come again after a newer one that replaces it, so it must not be handled twice.
  mutating func noteRepetition(of number: Int64) -> Bool {
    guard recent.contains(number) else { return false }
    note(number)
    return true
  }

  /// Notes a message that was handled.
  mutating func note(_ number: Int64) {
    if !unacknowledged.contains(number) { unacknowledged.append(number) }
    if !recent.contains(number) { recent.append(number) }
    if unacknowledged.count > Self.most { unacknowledged.removeFirst() }
    if recent.count > Self.most { recent.removeFirst() }
  }

  /// Notes that the hub has a report with these numbers.
  mutating func acknowledge(_ numbers: [Int64]) { unacknowledged.removeAll { numbers.contains($0) } }
}
