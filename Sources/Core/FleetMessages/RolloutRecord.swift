import Digests

/// The rollouts of a device, as one file keeps them, so that every change of them is one replacement of the file.
///
/// The notifier writes it. Every program that reads the configuration reads it too, and uses `current`.
public struct RolloutRecord: Hashable, Sendable {
  /// A rollout that is used until the device has proved to work with it.
  public struct Trial: Hashable, Sendable {
    /// The seconds that the trial has lasted, over restarts.
    public var elapsed: Int64
    /// The severity of the daemon's health before it.
    public var severity: HealthSeverity
    /// The time at which readers return to the former rollout if the notifier has not ended the trial.
    public var end: TrialClock

    public init(elapsed: Int64 = 0, severity: HealthSeverity, end: TrialClock = TrialClock()) {
      (self.elapsed, self.severity, self.end) = (elapsed, severity, end)
    }
  }

  /// The rollout in use, unless its trial has outlasted the notifier; nil if there is none.
  public var current: SignedRollout?
  /// The rollout to return to while `current` is on trial; nil if there was none.
  public var former: SignedRollout?
  /// The trial of `current`; nil if it is confirmed, or if there is no `current`.
  public var trial: Trial?
  /// The key that has verified the rollouts.
  public var key: [UInt8] = []
  /// The greatest revision that this device has taken; 0 before the first one.
  public var greatest: Int64 = 0
  /// The digest of the rollout with this revision.
  public var digest: [UInt8] = []
  /// The state of the rollout with this revision.
  public var report: RolloutReport?

  public init() {}

  /// Whether `current` is in use: it is confirmed, or the notifier has not missed the end of its trial.
  public func isCurrent(at clock: TrialClock) -> Bool { trial?.end.isAhead(of: clock) ?? true }

  /// Returns the rollout that readers use at a time; nil if there is none.
  public func rollout(at clock: TrialClock) -> SignedRollout? { isCurrent(at: clock) ? current : former }
}

/// A time that no setting of a clock changes: the seconds since a boot, sleep included.
public struct TrialClock: Hashable, Sendable {
  /// The longest time for which readers use a rollout on trial after the notifier has written the file, in seconds.
  static let longest: Int64 = 900
  static let longestBoot = 36

  /// The id of the boot; empty if it is unknown.
  public var boot: String
  public var seconds: Int64

  public init(boot: String = "", seconds: Int64 = 0) {
    (self.boot, self.seconds) = (boot, seconds)
  }

  /// Whether this end of a trial is still to come.
  ///
  /// An end of an earlier boot has passed: the notifier writes a new one when it starts. Without the id of a boot, the distance shows that
  /// mostly.
  func isAhead(of now: TrialClock) -> Bool {
    guard boot == now.boot || boot.isEmpty || now.boot.isEmpty else { return false }
    return seconds > now.seconds && seconds - now.seconds <= Self.longest
  }
}

extension SignedRollout {
  /// The SHA-256 of the envelope.
  public var digest: [UInt8] { SHA256.hash(envelope) }
}

// MARK: The file

extension RolloutRecord {
  /// The largest file in octets.
  public static let largest = 65_536
  /// The beginning of the file, which the SHA-256 of the rest follows.
  private static let head = Array("beaconmon rollouts 1\n".utf8)
  private static let mostItems = 7

  /// Decodes the content of a file; nil if it is damaged.
  public init?(_ octets: [UInt8]) {
    let start = Self.head.count + 32
    guard octets.count > start, octets.starts(with: Self.head) else { return nil }
    let rest = Array(octets[start...])
    guard SHA256.hash(rest).elementsEqual(octets[Self.head.count..<start]) else { return nil }
    do { try self.init(content: rest) } catch { return nil }
  }

  private init(content: [UInt8]) throws(FleetMessageError) {
    var reader = CBORReader(content)
    let items = try reader.array(atLeast: Self.mostItems, upTo: FleetMessage.mostItems)
    current = try Self.rollout(&reader)
    former = try Self.rollout(&reader)
    if !reader.null() {
      _ = try reader.array(atLeast: 4, upTo: 4)
      let elapsed = try reader.unsigned(upTo: 1 << 32)
      let severity = HealthSeverity(rawValue: try reader.unsigned(upTo: HealthSeverity.failed.rawValue))
      trial = Trial(elapsed: elapsed, severity: severity ?? .failed)
      trial?.end.boot = try reader.text(upTo: TrialClock.longestBoot)
      trial?.end.seconds = try reader.unsigned(upTo: 1 << 40)
    }
    key = try reader.octets(upTo: SignedRollout.keySize)
    greatest = try reader.unsigned(upTo: FleetMessage.largestNumber)
    digest = try reader.octets(upTo: 32)
    report = reader.null() ? nil : try RolloutReport(&reader)
    for _ in Self.mostItems..<items { try reader.skip() }
    guard reader.isAtEnd else { throw .trailingOctets(at: reader.offset) }
  }

  private static func rollout(_ reader: inout CBORReader) throws(FleetMessageError) -> SignedRollout? {
    reader.null() ? nil : try SignedRollout(try reader.octets(upTo: HubMessage.maximumPayloadSize))
  }

  /// The content of the file.
  public var octets: [UInt8] {
    var writer = CBORWriter()
    writer.array(Self.mostItems)
    for rollout in [current, former] {
      if let rollout { writer.octets(rollout.octets) } else { writer.null() }
    }
    if let trial {
      writer.array(4)
      writer.integer(max(trial.elapsed, 0))
      writer.integer(trial.severity.rawValue)
      writer.text(trial.end.boot)
      writer.integer(max(trial.end.seconds, 0))
    } else {
      writer.null()
    }
    writer.octets(key)
    writer.integer(greatest)
    writer.octets(digest)
    if let report { report.write(to: &writer) } else { writer.null() }
    return Self.head + SHA256.hash(writer.octets) + writer.octets
  }
}
