/// Where advertisements come from.
public enum Source: Hashable, Sendable {
  /// Every Bluetooth adapter of this machine, through bluetoothd.
  case bluez
  /// The same, packet by packet from the kernel: every advertisement, at little cost, with CAP_NET_RAW.
  case hci
  /// A btsnoop file.
  case capture(path: String)
}

/// A text that names no source.
public enum SourceError: Error, Hashable, CustomStringConvertible {
  case unknown(String)
  case captureWithoutFile

  public var description: String {
    switch self {
    case .unknown(let text): "\(text.quoted) is no source; there are bluez, hci and capture:FILE"
    case .captureWithoutFile: "\"capture:\" names no file; write capture:FILE"
    }
  }
}

extension Source: CustomStringConvertible {
  /// Reads `bluez`, `hci` or `capture:FILE`, as in the config and after `--source`.
  public init(_ text: String) throws(SourceError) {
    if let radio = ["bluez": Source.bluez, "hci": .hci][text] {
      self = radio
      return
    }
    let prefix = "capture:"
    guard text.hasPrefix(prefix) else { throw .unknown(text) }
    let path = text.dropFirst(prefix.count)
    guard !path.isEmpty else { throw .captureWithoutFile }
    self = .capture(path: String(path))
  }

  public var description: String {
    switch self {
    case .bluez: "bluez"
    case .hci: "hci"
    case .capture(let path): "capture:\(path)"
    }
  }
}
