import BeaconAdvertising

/// What of a radio belongs in the log: every change for better or worse, once.
///
/// That an adapter is about to scan, or idle, is no news: it pauses again and again where a bonded mouse is to come back.
public struct RadioNews: Sendable {
  public struct Line: Equatable, Sendable {
    public let isGood: Bool
    /// Nil: it is about all of them.
    public let adapter: BluetoothAddress?
    public let text: String
  }

  private var trouble: String?
  private var told: [BluetoothAddress: String] = [:]

  public init() {}

  /// The lines that are due now. `trouble` keeps all adapters from hearing, so what they say for themselves has to wait.
  public mutating func lines(trouble: String?, adapters: [AdapterHealth]) -> [Line] {
    defer { self.trouble = trouble }
    if let trouble {
      told.removeAll()
      return trouble == self.trouble ? [] : [Line(isGood: false, adapter: nil, text: trouble)]
    }
    return adapters.compactMap { adapter in
      // What a controller that hangs does to each attempt to wake it differs, and is the same news.
      guard let text = adapter.news, case let key = adapter.state == .silent ? "silent" : text,
        key != told.updateValue(key, forKey: adapter.address)
      else { return nil }
      return Line(isGood: adapter.state == .scanning && adapter.notes.isEmpty, adapter: adapter.address, text: text)
    }
  }
}

extension AdapterHealth {
  /// `00:1A:7D:DA:71:13 is scanning as hci0`, `00:1A:7D:DA:71:13 is blocked: unblock it with "rfkill unblock bluetooth"`; nil while it is idle or
  /// about to scan, and while it is not known yet whether an adapter of the config is there.
  fileprivate var news: String? {
    if notes.isEmpty && [.paused, .idle, .gone].contains(state) { return nil }
    return "\(address) is \(state.rawValue)" + (state == .scanning ? name.map { " as \($0)" } ?? "" : "")
      + (notes.isEmpty ? "" : ": \(notes.joined(separator: "; "))")
  }
}
