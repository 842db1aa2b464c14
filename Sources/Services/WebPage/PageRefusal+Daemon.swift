import Records

extension PageRefusal {
  /// Converts an error of the daemon, or of the bus in its place.
  ///
  /// - Parameters:
  ///   - name: the D-Bus name of the error, of which the last part counts.
  ///   - message: the sentence of the error, which may be empty. After that of a stale revision comes the difference, and an invalid venue
  ///     has a line for each problem.
  ///   - isLackOfConsent: whether the page may not learn the location of this device.
  public init(daemonError name: String, _ message: String, isLackOfConsent: Bool) {
    let message = message.isEmpty ? name : message
    if isLackOfConsent {
      self.init(503, "consent", message)
      return
    }
    switch name.split(separator: ".").last {
    case "AccessDenied":
      self.init(403, "denied", message)
    case "ServiceUnknown", "NameHasNoOwner", "Disconnected", "NoServer":
      self.init(503, "daemon-absent", "beaconmond is not running; start it with \"systemctl start beaconmond\", and try again")
    case "NoReply", "Timeout", "TimedOut": self.init(503, "no-answer", "beaconmond does not answer; see \"systemctl status beaconmond\"")
    case "NoSuchVenue", "NoSuchLevel", "NoSuchPlace", "NoSuchRevision": self.init(404, "not-found", message)
    case "InvalidOptions", "InvalidArgs": self.init(400, "argument", message)
    case "NotEditable": self.init(403, "not-editable", message)
    case "LimitsExceeded": self.init(429, "limit", message)
    case "StaleRevision":
      let parts = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      self.init(409, "stale", parts[0])
      details = Record(["difference": .text(parts.count > 1 ? parts[1] : "")])
    case "InvalidVenue":
      let lines = message.split(separator: "\n").map(String.init)
      self.init(422, "invalid", "the venue has \(lines.count == 1 ? "a problem" : "\(lines.count) problems"); correct it and save again")
      problems = lines
    case "StorageFailed", "JournalUnreadable": self.init(500, "storage", message)
    default: self.init(500, "failed", message)
    }
  }
}
