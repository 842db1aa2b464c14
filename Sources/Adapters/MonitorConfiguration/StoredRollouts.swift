import EventActions
import EventLoop
public import FleetMessages
import Glibc
public import Instants

/// The file of rollouts that the notifier writes, as readers of the configuration use it.
public struct StoredRollouts {
  private let path: String
  private let record: RolloutRecord
  private let clock = TrialClock.now

  /// Reads the file; nil if there is none. Throws if it is damaged. Never waits for a FIFO, and follows no link.
  init?(in path: String) throws(ConfigurationError) {
    guard let octets = try Self.octets(of: path) else { return nil }
    guard let record = RolloutRecord(octets) else { throw RolledOut.invalid(path, "is damaged; the next rollout replaces it") }
    (self.path, self.record) = (path, record)
  }

  /// Returns the rollout in use; nil if there is none.
  ///
  /// Throws for a rollout of another author or for another device than those of the hub.
  func rollout(for hub: HubSettings, by key: [UInt8]) throws(ConfigurationError) -> RolledOut? {
    guard let signed = record.rollout(at: clock) else { return nil }
    guard record.key == key else { throw RolledOut.invalid(path, "is not by the rollout-key of the configuration") }
    var rolledOut = try RolledOut(signed)
    guard rolledOut.rollout.isFor(hub.address) else { throw RolledOut.invalid(path, "is not for \(hub.address.commonName)") }
    rolledOut.trialEnd = trialEnd
    return rolledOut
  }

  /// The end of the trial of the rollout in use on `BootClock`; nil if it is confirmed.
  private var trialEnd: Span? {
    record.isCurrent(at: clock) ? record.trial.map { .seconds(Double($0.end.seconds)) } : nil
  }

  /// The problem of a rollout whose trial has outlasted the notifier.
  var endedTrial: [ConfigurationProblem] {
    guard !record.isCurrent(at: clock) else { return [] }
    let message =
      "the trial of rollout \(record.greatest) has ended without the notifier, so the former configuration is in use; "
      + "start beaconmon-notifier, or remove the file"
    return [ConfigurationProblem(file: path, line: nil, column: nil, message: message)]
  }

  /// Returns the revision that readers use now, 0 for none, and the end of its trial; nil if the file cannot be read.
  public static func state(in path: String) -> (revision: Int64, trialEnd: Span?)? {
    do throws(ConfigurationError) {
      guard let file = try Self(in: path) else { return (0, nil) }
      return (
        try file.record.rollout(at: file.clock).map { (signed) throws(ConfigurationError) in try RolledOut(signed).revision } ?? 0,
        file.trialEnd
      )
    } catch {
      return nil
    }
  }

  private static func octets(of path: String) throws(ConfigurationError) -> [UInt8]? {
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard raw >= 0 else {
      if errno == ENOENT { return nil }
      throw .unreadable(file: path, code: errno)
    }
    defer { close(raw) }
    var status = stat()
    guard fstat(raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= RolloutRecord.largest else {
      throw RolledOut.invalid(path, "is not a file of rollouts; remove it")
    }
    var octets = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = read(raw, &octets, octets.count)
    guard count >= 0 else { throw .unreadable(file: path, code: errno) }
    return Array(octets.prefix(count))
  }
}

extension TrialClock {
  /// The present time.
  public static var now: TrialClock {
    TrialClock(boot: BootClock.boot ?? "", seconds: BootClock.uptime.microseconds / 1_000_000)
  }
}
