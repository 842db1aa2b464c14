extension FleetStatus {
  /// The parts of a device's newest report that need attention.
  public struct DeviceHealth: Hashable, Sendable {
    public var problems: [String]
    /// The free octets of its disk; nil if it does not know them.
    public var freeSpace: Int64?
    /// Digests that it has dropped since its start.
    public var droppedDigests: Int64
    /// Nil if it does not know it.
    public var isClockSynchronised: Bool?

    public init(problems: [String], freeSpace: Int64?, droppedDigests: Int64, isClockSynchronised: Bool?) {
      (self.problems, self.freeSpace) = (problems, freeSpace)
      (self.droppedDigests, self.isClockSynchronised) = (droppedDigests, isClockSynchronised)
    }
  }

  /// A disk of the hub that "beaconmon-hub alerts" measures.
  public struct Disk: Hashable, Sendable {
    public var machine: String
    public var path: String
    /// The free octets.
    public var free: Int64
    /// Seconds since the measurement.
    public var age: Int64

    public init(machine: String, path: String, free: Int64, age: Int64) {
      (self.machine, self.path, self.free, self.age) = (machine, path, free, age)
    }
  }

  /// A certificate of the hub.
  public struct Certificate: Hashable, Sendable {
    public var path: String
    /// Seconds until its end.
    public var end: Int64

    public init(path: String, end: Int64) { (self.path, self.end) = (path, end) }
  }

  /// The certificates that end soon or have ended.
  var certificateLines: [String] {
    certificates.filter { $0.end < Device.certificateNotice }.flatMap { certificate in
      let days = "\(abs(certificate.end) / 86_400) days"
      return [""]
        + Self.wrapped(
          "the certificate \(certificate.path) " + (certificate.end > 0 ? "ends in \(days)" : "has ended \(days) ago")
            + "; make a new one with \"beaconmon-hub admin issue\", and look at those of the broker's nodes", indent: "")
    }
  }

  /// The disks in the order of their machines.
  var diskLines: [String] {
    guard !disks.isEmpty else { return [] }
    let rows = disks.map { disk in
      Self.left(Self.space(disk.free), 9) + Self.right(Self.duration(disk.age), 8) + "  " + "\(disk.machine):\(disk.path)".prefix(61)
    }
    return ["", "FREE     MEASURED  DISK"] + rows
  }

  /// Returns a size in megabytes with at most seven characters.
  static func space(_ octets: Int64) -> String { "\(count(max(0, octets) / 1_000_000))MB" }
}

extension FleetStatus.Device {
  /// Whether no message has come since the device was enrolled for the last time.
  public var hasNeverConnected: Bool { silence.map { $0 > enrolled ?? .max } ?? true }

  /// The parts of the status that need attention, each in a text of its own.
  var complaints: [String] {
    var texts: [String] = []
    if !isRevoked, hasNeverConnected {
      let begin = enrolled.map { " \(FleetStatus.duration($0)) ago" } ?? ""
      let wait = expected.flatMap { $0 < 0 ? ", and is expected in \(FleetStatus.duration(-$0))" : nil } ?? ""
      texts.append("never connected since it was enrolled\(begin)\(wait)")
    }
    if isSilent, !hasNeverConnected, let silence {
      texts.append("silent for \(FleetStatus.duration(silence)); look at its power and its network")
    }
    if findings.contains("late") {
      texts.append("its messages come minutes late: it sends what it kept without a connection, its link is slow, or its clock is behind")
    }
    if let lag {
      let remedy = "look at its time synchronisation"
      if findings.contains("clock-ahead") { texts.append("the clock is ahead by \(FleetStatus.duration(-lag)); \(remedy)") }
      if findings.contains("clock-behind") {
        texts.append("the clock is behind by \(FleetStatus.duration(lag)), unless its messages have waited as long; \(remedy)")
      }
    }
    if !isRevoked, let certificate, certificate < Self.certificateNotice {
      let days = "\(abs(certificate) / 86_400) days"
      texts.append("the certificate " + (certificate > 0 ? "ends in \(days)" : "has ended \(days) ago") + "; enrol the device again")
    }
    texts += Set(recentRefusals.values).sorted()
    guard let health else { return texts }
    if !health.problems.isEmpty { texts.append("problems: " + health.problems.joined(separator: "; ")) }
    if let space = health.freeSpace, space < Self.littleSpace { texts.append("free disk space: \(FleetStatus.space(space))") }
    if health.droppedDigests > 0 { texts.append("dropped digests: \(FleetStatus.count(health.droppedDigests))") }
    // A device may report it among its problems, with the consequence.
    let clock = "the clock is not synchronised"
    if health.isClockSynchronised == false, !health.problems.contains(where: { $0.hasPrefix(clock) }) { texts.append(clock) }
    return texts
  }

  /// The time before the end of a certificate at which the table shows it, in seconds.
  fileprivate static let certificateNotice: Int64 = 60 * 86_400
  /// The free octets below which the table shows them.
  private static let littleSpace: Int64 = 1_000_000_000
}
