import Instants

/// Detects a controller that hangs: it delivers no more reports and signals no error.
///
/// Silence alone proves nothing, because no device may be near. It is suspicious when frequent reports stop, and more so when several
/// devices stop together. The response escalates. First the watch advises a scan restart. If no report follows, the adapter counts as
/// silent. At most once an hour, with no device connected, the watch then advises a power cycle. A controller that completes the power
/// cycle and still hears nothing works: no device is in range.
public struct SilenceWatch: Sendable {
  public enum Advice: Equatable, Sendable {
    case restartScan
    case powerCycle
  }

  /// The minimum number of reports before silence can be suspicious.
  static let learnedReports = 20
  static let learnedTime = Span.seconds(30)
  /// The shortest suspicious silence: of several devices, and of one or two, which may just have left.
  static let patienceWithMany = Span.seconds(20)
  static let patienceWithFew = Span.seconds(120)
  /// The shortest wait for reports after a scan restart.
  /// A restarted scan reports every device at once. The adapter is known to be silent after 28 s in all, before the usual exit delay of
  /// 30 s would take the silence for a departure.
  static let patienceWithProbe = Span.seconds(8)
  static let manyWitnesses = 3
  /// The maximum number of devices that the watch remembers; more at one time add no information.
  public static let mostWitnesses = 8
  /// Twice the scan period of a discovery, in which a strict controller reports a device once.
  static let witnessTime = Span.seconds(20)
  static let mostPatience = Span.seconds(1800)
  static let powerCycleInterval = Span.seconds(3600)
  /// The interval between checks whether the devices have disconnected.
  static let connectionInterval = Span.seconds(60)

  private enum Stage { case listening, probed, reset }

  public private(set) var isSilent = false
  /// Whether the watch waits for reports after its advice.
  /// The advice also fails if the scan does not start again.
  public var isProbing: Bool { stage != .listening }
  private var stage = Stage.listening
  private var scanningSince: Instant?
  private var firstReport: Instant?
  private var lastReport: Instant?
  private var reports = 0
  private var witnesses = ReportingAdapters()
  private var gaps = LongestGap()
  private var lastPowerCycle: Instant?
  private var notBefore: Instant?

  public init() {}

  // MARK: - Input

  /// Starts the clock of the current scan; earlier time does not count as silence.
  public mutating func scanBegan(at now: Instant) {
    scanningSince = now
  }

  public mutating func scanEnded() {
    scanningSince = nil
  }

  /// Discards everything learned, because the adapter was reset or plugged in elsewhere.
  /// Only the hour until the next power cycle continues.
  public mutating func forget() {
    let (cycle, scanning) = (lastPowerCycle, scanningSince)
    self = SilenceWatch()
    (lastPowerCycle, scanningSince) = (cycle, scanning)
  }

  /// Takes a report of a device.
  /// Devices are only distinguished, so any stable number for the same device works: its address, or a hash.
  public mutating func heard(_ device: UInt64, at now: Instant) {
    // A pause that ended only after a scan restart was not a pause of the devices.
    if let quietSince, stage == .listening { gaps.note(now - quietSince, at: now) }
    firstReport = firstReport ?? now
    lastReport = now
    reports += 1
    witnesses.note(device, at: now)
    stage = .listening
    isSilent = false
    notBefore = nil
  }

  // MARK: - Advice

  /// The time of the next `check`; `.never` while no silence is suspicious.
  /// Every report moves the deadline later, so a caller that uses an old value must wait again.
  public var deadline: Instant {
    guard let quietSince, isLearned else { return .never }
    return max(quietSince + patience, notBefore ?? quietSince)
  }

  /// Returns advice at `deadline`, or nil.
  /// The count of silence restarts after each advice. `isHearing` says that the advised action has been done.
  public mutating func check(at now: Instant, anyConnected: Bool, isHearing: Bool) -> Advice? {
    guard now >= deadline else { return nil }
    switch stage {
    case .listening:
      stage = .probed
      scanningSince = now
      return .restartScan
    case .probed:
      isSilent = true
      let allowed = lastPowerCycle.map { $0 + Self.powerCycleInterval } ?? now
      guard !anyConnected, now >= allowed else {
        notBefore = max(allowed, now + Self.connectionInterval)
        return nil
      }
      stage = .reset
      lastPowerCycle = now
      scanningSince = now
      return .powerCycle
    case .reset:
      if isHearing { forget() } else { stage = .probed }
      return nil
    }
  }

  private var quietSince: Instant? {
    guard let scanningSince else { return nil }
    return lastReport.map { max($0, scanningSince) } ?? scanningSince
  }

  private var isLearned: Bool {
    guard let firstReport, let lastReport else { return false }
    return reports >= Self.learnedReports && lastReport - firstReport >= Self.learnedTime
  }

  private var patience: Span {
    let many = witnesses.count(before: lastReport) >= Self.manyWitnesses
    let suspicious = min(max(many ? Self.patienceWithMany : Self.patienceWithFew, gaps.longest * 4), Self.mostPatience)
    return stage == .probed ? min(max(Self.patienceWithProbe, gaps.longest * 2), suspicious) : suspicious
  }
}

/// The devices that were heard last, up to a limit.
private struct ReportingAdapters: Sendable {
  private static let capacity = SilenceWatch.mostWitnesses
  private var devices: [(name: UInt64, heard: Instant)] = []

  mutating func note(_ device: UInt64, at now: Instant) {
    if let place = devices.firstIndex(where: { $0.name == device }) {
      devices[place].heard = now
    } else if devices.count < Self.capacity {
      devices.append((device, now))
    } else if let oldest = devices.indices.min(by: { devices[$0].heard < devices[$1].heard }) {
      devices[oldest] = (device, now)
    }
  }

  /// Returns the number of devices heard shortly before the last report.
  func count(before last: Instant?) -> Int {
    guard let last else { return 0 }
    return devices.count { last - $0.heard <= SilenceWatch.witnessTime }
  }
}

/// The longest time without a report during normal operation, in the last half hour to an hour.
private struct LongestGap: Sendable {
  private static let window = Span.seconds(1800)
  private var start: Instant?
  private var current = Span.zero
  private var previous = Span.zero

  var longest: Span { max(current, previous) }

  mutating func note(_ gap: Span, at now: Instant) {
    if let began = start, now - began < Self.window {
      current = max(current, gap)
    } else {
      previous = start == nil ? .zero : current
      current = gap
      start = now
    }
  }
}
