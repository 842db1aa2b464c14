import Instants

/// Finds a controller that hangs: it reports nothing any more, and neither it nor BlueZ says a word about that.
///
/// Silence alone proves nothing, for nothing may be near. It is suspicious when what was heard all the time stops, the more so when several
/// devices stop together. The answer climbs: begin the scan anew; when that is not answered either the adapter counts as silent, and once
/// an hour at most, with no device connected, it is switched off and on. A controller that obeys that and still hears nothing is in order:
/// there is nothing to hear.
struct SilenceWatch {
  enum Advice: Equatable {
    case restartScan
    case powerCycle
  }

  /// Before this much was heard there is nothing that could be missed.
  static let learnedReports = 20
  static let learnedTime = Span.seconds(30)
  /// The shortest silence that is suspicious: of several devices, and of one or two, who may just have left.
  static let patienceWithMany = Span.seconds(20)
  static let patienceWithFew = Span.seconds(120)
  /// The shortest wait for an answer. A scan that begins anew reports everybody at once, and after 28 s in all the adapter is known to be
  /// silent, before the usual exit delay of 30 s takes that for a departure.
  static let patienceWithProbe = Span.seconds(8)
  static let manyWitnesses = 3
  /// Twice the scan period of a discovery, in which a strict controller reports a device once.
  static let witnessTime = Span.seconds(20)
  static let mostPatience = Span.seconds(1800)
  static let powerCycleInterval = Span.seconds(3600)
  /// How soon to look again whether the devices have disconnected.
  static let connectionInterval = Span.seconds(60)

  private enum Stage { case listening, probed, reset }

  private(set) var isSilent = false
  /// An answer is waited for, and it is none when the scan does not even begin anew.
  var isProbing: Bool { stage != .listening }
  private var stage = Stage.listening
  private var scanningSince: Instant?
  private var firstReport: Instant?
  private var lastReport: Instant?
  private var reports = 0
  private var witnesses = Witnesses()
  private var gaps = LongestGap()
  private var lastPowerCycle: Instant?
  private var notBefore: Instant?

  // MARK: - What happens

  /// Discovery runs from now on. Time before it does not count as silence.
  mutating func scanBegan(at now: Instant) {
    scanningSince = now
  }

  mutating func scanEnded() {
    scanningSince = nil
  }

  /// The adapter has begun a new life somewhere: nothing is learned of it, and only the hour until the next loss of power goes on.
  mutating func forget() {
    let (cycle, scanning) = (lastPowerCycle, scanningSince)
    self = SilenceWatch()
    (lastPowerCycle, scanningSince) = (cycle, scanning)
  }

  mutating func heard(_ device: String, at now: Instant) {
    // What a scan that was begun anew brought back was no pause of the devices.
    if let quietSince, stage == .listening { gaps.note(now - quietSince, at: now) }
    firstReport = firstReport ?? now
    lastReport = now
    reports += 1
    witnesses.note(device, at: now)
    stage = .listening
    isSilent = false
    notBefore = nil
  }

  // MARK: - What to do

  /// `.never` while there is nothing to fear. It moves with every report; who looks at an old one is told to wait longer.
  var deadline: Instant {
    guard let quietSince, isLearned else { return .never }
    return max(quietSince + patience, notBefore ?? quietSince)
  }

  /// To be asked at `deadline`. `isHearing` says that what was advised has been done. From an advice on the silence counts anew.
  mutating func check(at now: Instant, anyConnected: Bool, isHearing: Bool) -> Advice? {
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

/// The devices that were heard last, a few of them.
private struct Witnesses {
  private static let capacity = 8
  private var devices: [(name: String, heard: Instant)] = []

  mutating func note(_ device: String, at now: Instant) {
    if let place = devices.firstIndex(where: { $0.name == device }) {
      devices[place].heard = now
    } else if devices.count < Self.capacity {
      devices.append((device, now))
    } else if let oldest = devices.indices.min(by: { devices[$0].heard < devices[$1].heard }) {
      devices[oldest] = (device, now)
    }
  }

  /// Those heard shortly before the last report.
  func count(before last: Instant?) -> Int {
    guard let last else { return 0 }
    return devices.count { last - $0.heard <= SilenceWatch.witnessTime }
  }
}

/// The longest time without a report while everything worked, in the last half hour to an hour.
private struct LongestGap {
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
