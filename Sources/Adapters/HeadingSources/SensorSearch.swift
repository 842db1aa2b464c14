import Instants

/// Searches for the sensors of a machine, and prefers those that have not failed.
struct SensorSearch {
  /// The time for which a search is valid.
  private static let age = Span.seconds(1)
  /// Machines have few sensors; more are forgotten.
  private static let mostFailures = 16

  private let root: String
  private let records: String
  /// The sensors that did not work, the latest last, so that another one is tried.
  private var failed: [SensorPart] = []
  private var found: (choice: SensorChoice?, time: Instant)?

  /// - Parameters:
  ///   - root: the folder of devices.
  ///   - records: the folder of udev's records.
  init(in root: String, records: String) { (self.root, self.records) = (root, records) }

  /// Returns the present devices; nil without a magnetometer. The search is repeated after a while.
  mutating func choice(at now: Instant) -> SensorChoice? {
    if let found, now - found.time < Self.age { return found.choice }
    let choice = SensorChoice(in: root, records: records, failed: failed)
    found = (choice, now)
    return choice
  }

  /// Returns the present devices with a magnetometer that is in use.
  func choice(keeping magnetometer: IIODevice) -> SensorChoice? {
    SensorChoice(in: root, records: records, failed: failed, keeping: magnetometer)
  }

  /// Whether there is a choice none of whose sensors has failed.
  var hasOther: Bool { SensorChoice(in: root, records: records, failed: failed).map { !$0.uses(anyOf: failed) } ?? false }

  /// Searches again next time.
  mutating func renew() { found = nil }

  /// Prefers other sensors from now on.
  mutating func note(failed part: SensorPart) {
    failed.removeAll { $0 == part }
    failed.append(part)
    if failed.count > Self.mostFailures { failed.removeFirst() }
  }

  /// Prefers a sensor again that works. Another sensor of its device may still fail.
  mutating func note(working part: SensorPart) { failed.removeAll { $0 == part } }
}
