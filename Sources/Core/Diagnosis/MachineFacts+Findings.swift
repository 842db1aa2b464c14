import Status

extension MachineFacts {
  /// The findings about all facts.
  public var diagnosis: Diagnosis {
    Diagnosis(
      kernelFindings + radioFindings + bluetoothdFindings + busFindings + daemonFindings + capabilityFindings + scannerFindings
        + wirelessFindings + clockFindings + diskFindings + configFindings + targetFindings + versionFindings)
  }

  /// Returns the command for a user who may need sudo.
  func asRoot(_ commands: String...) -> String {
    let isRoot = user.value?.isRoot == true
    return commands.map { isRoot ? $0 : "sudo \($0)" }.joined(separator: " && ")
  }

  /// Whether the daemon is a service of the system, which systemctl controls.
  var isService: Bool { manager == .system }

  /// Returns the command that starts a service; nil if no manager starts it.
  ///
  /// - Parameter personal: the name of the service in a session.
  func start(_ service: String, personal: String) -> String? {
    switch manager {
    case .system: asRoot("systemctl enable --now \(service)")
    case .session: "systemctl --user start \(personal)"
    case .none: nil
    }
  }

  /// The name of the daemon's source: of a running daemon, otherwise of the config.
  var sourceName: String? { daemon.value?.status?.source.name ?? config.value?.source }

  /// Whether the source needs a Bluetooth adapter, as an unknown source may.
  var needsRadio: Bool { sourceName.map { ["auto", "bluez", "hci"].contains($0) } ?? true }

  /// Whether the daemon receives packets, so that it does not depend on the reports of bluetoothd.
  var receivesPackets: Bool { sourceName == "hci" || daemon.value?.status?.source.choice == "hci" }

  /// Returns the findings about a fact, or one finding that the fact could not be read.
  func findings<Value>(_ fact: Probed<Value>, _ check: Finding.Check, _ body: (Value) -> [Finding]) -> [Finding] {
    switch fact {
    case .found(let value): body(value)
    case .failed(let reason): [Finding(check, .unknown, "could not be checked: \(reason)")]
    }
  }
}

/// The numbers of a version such as `6.1.0-28-amd64`, for comparison.
struct VersionNumbers: Comparable {
  private let numbers: [Int]

  /// Nil for a text that begins with no number.
  init?(_ text: String) {
    let numbers = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").compactMap { Int($0) }
    guard !numbers.isEmpty else { return nil }
    self.numbers = numbers
  }

  static func < (a: VersionNumbers, b: VersionNumbers) -> Bool { a.padded(as: b).lexicographicallyPrecedes(b.padded(as: a)) }

  static func == (a: VersionNumbers, b: VersionNumbers) -> Bool { a.padded(as: b) == b.padded(as: a) }

  private func padded(as other: VersionNumbers) -> [Int] {
    numbers + Array(repeating: 0, count: max(0, other.numbers.count - numbers.count))
  }
}
