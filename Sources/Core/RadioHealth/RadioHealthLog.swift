import Beacons

/// Selects changes of radio health for the log: every change for better or worse, once.
///
/// The log omits that an adapter is idle or about to scan: an adapter pauses repeatedly so that a bonded mouse can reconnect.
public struct RadioHealthLog: Sendable {
  public struct Line: Equatable, Sendable {
    public let isGood: Bool
    /// The adapter of the line; nil for all adapters.
    public let adapter: BluetoothAddress?
    public let text: String
  }

  private var trouble: String?
  private var reported: [BluetoothAddress: String] = [:]

  public init() {}

  /// Returns the lines that are due now.
  /// `trouble` keeps all adapters from hearing, so the lines of single adapters wait while it lasts.
  public mutating func lines(trouble: String?, adapters: [AdapterHealth]) -> [Line] {
    defer { self.trouble = trouble }
    if let trouble {
      reported.removeAll()
      return trouble == self.trouble ? [] : [Line(isGood: false, adapter: nil, text: trouble)]
    }
    return adapters.compactMap { adapter in
      // Each attempt to wake a hanging controller fails differently, but the log needs only one line.
      guard let text = adapter.logText, case let key = adapter.state == .silent ? "silent" : text,
        key != reported.updateValue(key, forKey: adapter.address)
      else { return nil }
      return Line(isGood: adapter.state == .scanning && adapter.notes.isEmpty, adapter: adapter.address, text: text)
    }
  }
}

extension AdapterHealth {
  /// The log text, such as `00:1A:7D:DA:71:13 is scanning as hci0`.
  /// Another example is `00:1A:7D:DA:71:13 is blocked: unblock it with "rfkill unblock bluetooth"`. Nil while the adapter is idle or
  /// about to scan, and while it is not yet known whether a configured adapter exists.
  fileprivate var logText: String? {
    if notes.isEmpty && [.paused, .idle, .gone].contains(state) { return nil }
    return "\(address) is \(state.rawValue)" + (state == .scanning ? name.map { " as \($0)" } ?? "" : "")
      + (notes.isEmpty ? "" : ": \(notes.joined(separator: "; "))")
  }
}
