import Beacons
import Instants

/// Decides which adapters bluetoothd should have listed by now.
///
/// It lists them one by one after its start, and a new one after the kernel does.
public struct AdapterListing: Sendable {
  /// The time in which an adapter is listed.
  private static let patience = Span.seconds(2)

  private var isRunning = false
  /// The time at which bluetoothd started or ended.
  private var change = Instant(microseconds: .min)
  /// Whether the running bluetoothd has listed an adapter.
  private var hasListed = false
  /// The adapters of the kernel that are not listed, and since when.
  private var unlisted: [BluetoothAddress: Instant] = [:]

  public init() {}

  /// Notes that bluetoothd has started or ended.
  public mutating func changeService(isRunning: Bool, at now: Instant) {
    (self.isRunning, change, hasListed) = (isRunning, now, false)
  }

  /// Notes the adapters of the kernel, as far as they are known, and those that bluetoothd lists.
  public mutating func note(present: some Sequence<BluetoothAddress>, listed: Set<BluetoothAddress>, at now: Instant) {
    hasListed = hasListed || !listed.isEmpty
    let missing = Set(present).subtracting(listed)
    unlisted = Dictionary(uniqueKeysWithValues: missing.map { ($0, unlisted[$0] ?? now) })
  }

  /// Whether bluetoothd should have listed an adapter of the kernel, and has not.
  public func isOverdue(_ adapter: BluetoothAddress, at now: Instant) -> Bool {
    isRunning && unlisted[adapter].map { now >= due($0) } ?? false
  }

  /// Whether an adapter that is not listed does not exist, as far as bluetoothd knows.
  public func isComplete(at now: Instant) -> Bool { isRunning && (hasListed || now >= due(change)) }

  /// Returns the next time at which an answer may change; `.never` if there is none.
  public func deadline(after now: Instant) -> Instant {
    ([change] + unlisted.values).map { due($0) }.filter { $0 > now }.min() ?? .never
  }

  private func due(_ time: Instant) -> Instant { max(time, change) + Self.patience }
}
