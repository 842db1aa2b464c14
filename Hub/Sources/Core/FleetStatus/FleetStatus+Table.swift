extension FleetStatus {
  /// The status in lines of at most 80 columns.
  public var table: String {
    var lines = [Self.row("DEVICE", "LAST", "LAG", "VERSION", "REV", "MISSING", "LOST", "REFUSED")]
    for device in devices {
      let name = device.name.count > 24 ? device.name.prefix(23) + "…" : device.name[...]
      lines.append(
        Self.row(
          String(name), device.silence.map(Self.duration) ?? "never", device.lag.map(Self.duration) ?? "-",
          String((device.version ?? "-").prefix(9)),
          device.revision.map { Self.revision($0) } ?? "-", Self.count(device.missing), Self.count(device.lost),
          Self.count(device.refused.values.reduce(0, +))))
      if device.isRevoked { lines.append("  revoked") }
      if let rollout = device.rollout, rollout.state != .confirmed {
        lines += Self.wrapped("rollout \(rollout.revision): \(rollout.state.words)\(rollout.text.isEmpty ? "" : ": \(rollout.text)")")
      }
      lines += device.complaints.flatMap { Self.wrapped($0) }
      if device.looksCloned { lines.append("  two devices appear to use this identity; enrol one of them under another name") }
      let reasons = device.refused.sorted { $0.key < $1.key }.map { "\($0.key) \(Self.count($0.value))" }
      if !reasons.isEmpty { lines += Self.wrapped("refused: " + reasons.joined(separator: ", ")) }
      if device.setAside > 0 { lines.append("  \(Self.count(device.setAside)) of them are in the table refused_event") }
    }
    lines += ["", "QUEUE  BACKLOG  NEWEST  WORKER"]
    for queue in queues {
      let state = queue.isIdle ? " (not taken yet)" : queue.isOwned ? "" : " (gone)"
      let worker = queue.worker.map { String($0.prefix(38)) + state } ?? "none"
      lines.append(
        Self.left("\(queue.number)", 5) + "  " + Self.right(queue.backlog.map { Self.count(Int64($0)) } ?? "-", 7) + "  "
          + Self.right(queue.newest.map(Self.duration) ?? "-", 6) + "  " + worker)
    }
    lines += certificateLines + diskLines + alertLines + rolloutLines + retentionLines
    for (reason, refusals) in unattributed.sorted(by: { $0.key < $1.key }) {
      lines += ["", "refused without a sender: \(reason) \(Self.count(refusals.messages)), last:"] + Self.wrapped(refusals.detail)
    }
    if setAside > 0 { lines += ["", "\(Self.count(setAside)) messages without a sender are in the table refused_event"] }
    return (lines + ["", "database \(databaseSize / 1_048_576) MiB"] + outageLines).joined(separator: "\n") + "\n"
  }

  private var alertLines: [String] {
    var lines = ["", alerts.isEmpty ? "no open alerts" : "ALERT  AGE  KIND"]
    for alert in alerts {
      let (number, age) = (Self.left("\(alert.id)", 5), Self.right(Self.duration(alert.age), 5))
      lines.append("\(number)\(age)  \(alert.kind)\(alert.isMuted ? " (muted)" : "")")
      lines += Self.wrapped(alert.text)
    }
    if !isWatched { lines.append("no process watches for alerts; start \"beaconmon-hub alerts\"") }
    if failedDeliveries > 0 {
      lines.append("\(Self.count(failedDeliveries)) deliveries of alerts failed; see \"beaconmon-hub admin alerts list\"")
    }
    return lines
  }

  /// The newest rollout, and others that are in progress.
  private var rolloutLines: [String] {
    let shown = rollouts.enumerated().filter { $0.offset == 0 || ["canary", "soak"].contains($0.element.phase) }
    return shown.flatMap { [""] + $0.element.lines }
  }

  /// The rules of the retention, and the failures of their last runs.
  public var retentionLines: [String] {
    guard !retention.isEmpty else { return [] }
    var lines = ["", "KIND         KEPT FOR   OLDEST     SIZE   CHECKED"]
    for rule in retention {
      let kept = Self.duration(Int64(rule.hours) * 3600)
      let columns = [
        (kept, 8), (rule.oldest.map(Self.duration) ?? "-", 9), (rule.size.map { "\($0 >> 20)M" } ?? "-", 9),
        (rule.checked.map(Self.duration) ?? "never", 10),
      ]
      lines.append(Self.left(rule.kind, 13) + columns.map { Self.right($0.0, $0.1) }.joined())
      if let failure = rule.failure { lines += Self.wrapped("failed: \(failure)") }
    }
    return lines
  }

  private static func row(_ name: String, _ columns: String...) -> String {
    left(name, 24) + zip(columns, [7, 6, 10, 5, 9, 7, 9]).map { right($0, $1) }.joined()
  }

  static func left(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
  static func right(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(1, width - text.count)) + text }

  /// Returns a text in indented lines of at most 80 columns, without the control characters that a device may have sent.
  static func wrapped(_ text: String, indent: String = "  ") -> [String] {
    var lines: [String] = []
    let isControl = { (scalar: Unicode.Scalar) in scalar.value < 32 || (0x7F...0x9F).contains(scalar.value) }
    var rest = String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))[...]
    while rest.count > 80 - indent.count {
      let line = rest.prefix(80 - indent.count)
      let end = line.lastIndex(of: " ") ?? line.endIndex
      lines.append(indent + rest[..<end])
      rest = rest[end...].drop { $0 == " " }
    }
    if !rest.isEmpty { lines.append(indent + rest) }
    return lines
  }

  /// Returns a revision with at most five characters, which are its last digits.
  static func revision(_ value: Int64) -> String { value < 100_000 ? "\(value)" : "…\("\(value)".suffix(4))" }

  /// Returns a duration in its largest unit, such as `3m`.
  static func duration(_ seconds: Int64) -> String {
    let sign = seconds < 0 ? "-" : ""
    let value = seconds.magnitude
    switch value {
    case ..<100: return "\(sign)\(value)s"
    case ..<6000: return "\(sign)\(value / 60)m"
    case ..<360_000: return "\(sign)\(value / 3600)h"
    default: return value < 8_640_000_000 ? "\(sign)\(value / 86_400)d" : "\(sign)ages"
    }
  }

  /// Returns a count with at most five characters.
  static func count(_ value: Int64) -> String {
    switch value {
    case ..<100_000: "\(value)"
    case ..<10_000_000: "\(value / 1000)k"
    case ..<10_000_000_000: "\(value / 1_000_000)M"
    default: "many"
    }
  }
}
