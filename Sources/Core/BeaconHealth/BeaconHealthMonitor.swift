import BeaconAdvertising
import Beacons
import Instants
import Regions

/// Watches the beacons that should be heard, and finds those that are missing, weak, moved or copied.
///
/// The monitor reads no clock. It measures silence in listening time, which stops while an adapter that hears beacons cannot hear, and
/// while nothing at all is received. When many beacons fall silent at once, the receiver is the suspect.
public struct BeaconHealthMonitor: Sendable {
  /// The maximum number of beacons that are watched.
  public static let most = 1024
  /// The time without any advertisement after which the device does not count as listening.
  static let longestQuiet = Span.seconds(30)
  /// The longest time between two steps of a process that runs. After a longer one, silence does not count.
  private static let longestStep = Span.seconds(45)
  static let second = Span.seconds(1)
  static let hour = Span.seconds(3600)
  private static let day = Span.seconds(86_400)
  /// The time for which an adapter must be lost before the beacons are learned without it.
  private static let lossToForget = Span.seconds(3600)
  /// The minimum number of beacons whose levels show a change of the receiver.
  static let leastForShift = 4
  /// The dB by which all beacons must be weaker for the receiver to be the suspect.
  static let leastLoss = 5.0

  public var settings: BeaconHealthSettings
  var entries: [ExpectedBeacon] = []
  private var positions: [BeaconIdentity: Int] = [:]
  /// The time for which the adapters that hear beacons have listened.
  private(set) var clock = Span.zero
  private var lastTick: Instant?
  private var lastReception: Instant?
  private var advertisements = 0
  private var reception = AdapterReception()
  /// The adapters that have heard beacons today and yesterday.
  private var hearers = (today: AdapterSet.none, yesterday: AdapterSet.none)
  private var lossStart: Instant?
  private var nextHour = hour
  private var nextDay = day
  /// The listening time since which many beacons are silent; nil while they are not.
  var suspicionStart: Span?
  /// The listening time until which no beacon can be overdue.
  var nextDeadline = Span.zero
  /// The time of the next check of beacons with two transmitters.
  var nextEnd = Instant(microseconds: .min)
  var frames: [BeaconTelemetry] = []
  /// The stored levels of adapters that are not known yet, by their names.
  var waiting: [BeaconIdentity: [String: [Double]]] = [:]
  var findings: [BeaconFinding] = []

  public init(_ settings: BeaconHealthSettings) {
    self.settings = settings
  }

  /// Whether nothing is watched.
  public var isIdle: Bool { entries.isEmpty || settings.problems.isEmpty }

  /// Watches these beacons instead of others, and keeps the values of those that remain.
  public mutating func expect(_ beacons: [BeaconIdentity]) {
    let known = Dictionary(entries.map { ($0.beacon, $0) }) { first, _ in first }
    entries = Set(beacons).sorted().prefix(Self.most).map { beacon in
      if let entry = known[beacon] { return entry }
      var entry = ExpectedBeacon(beacon)
      entry.lastHeard = clock
      return entry
    }
    positions = Dictionary(entries.enumerated().map { ($1.beacon, $0) }) { first, _ in first }
    nextDeadline = clock
  }

  /// Whether there are as many beacons as can be watched.
  public var isCrowded: Bool { entries.count == Self.most }

  /// Starts listening at the first time of a clock.
  public mutating func start(at time: Instant) { lastTick = time }

  /// Returns the voltage and the temperature that a beacon reports; nil if they are unknown.
  public func telemetry(of beacon: BeaconIdentity) -> (voltage: Double?, temperature: Double?) {
    guard let position = positions[beacon] else { return (nil, nil) }
    return (entries[position].battery.voltage, entries[position].battery.temperature)
  }

  func position(of beacon: BeaconIdentity) -> Int? { positions[beacon] }
}

// MARK: Input

extension BeaconHealthMonitor {
  /// Sets which adapters can hear from now on.
  public mutating func setReception(_ reception: AdapterReception, at time: Instant) {
    advance(to: time)
    self.reception = reception
  }

  /// Ignores a time in which the process did not run.
  public mutating func skip(to time: Instant) { lastTick = max(lastTick ?? time, time) }

  /// Applies the count of all advertisements, of beacons and other devices, that were received until now.
  public mutating func note(advertisements count: Int, at time: Instant) {
    guard count != advertisements else { return }
    advertisements = count
    lastReception = time
  }

  /// Applies a sighting. Those of other beacons only show that the receiver works.
  public mutating func hear(_ sighting: Sighting) {
    advance(to: sighting.time)
    lastReception = sighting.time
    guard let position = positions[sighting.beacon] else { return }
    let now = clock(at: sighting.time)
    hearers.today.formUnion(AdapterSet(sighting.adapter))
    let copy = entries[position].hear(sighting, clock: now)
    if entries[position].problems[.missing] != nil { end(.missing, at: position, .sighting, sighting.time) }
    if let copy { begin(.duplicate, at: position, copy, sighting.time) }
  }

  /// Applies frames of telemetry. They wait for an advertisement from the same address.
  public mutating func take(_ new: [BeaconTelemetry]) {
    frames += new
    if frames.count > BeaconTelemetry.mostPending { frames.removeFirst(frames.count - BeaconTelemetry.mostPending) }
  }

  /// Applies the beacons that seem not to hang where the plan says, with their distances in metres from there.
  public mutating func note(misplaced: [BeaconIdentity: Double], at time: Instant) {
    advance(to: time)
    for position in entries.indices {
      if let metres = misplaced[entries[position].beacon] {
        begin(.moved, at: position, .placement, time) { $0.displacement = metres }
      } else if entries[position].causes[.moved] == .placement {
        end(.moved, at: position, .placement, time)
      }
    }
  }

  /// Applies the time. The result does not depend on the batches of the sightings.
  public mutating func advance(to time: Instant) {
    guard let last = lastTick else { return lastTick = time }
    if time - last > Self.longestStep { skip(to: time - Self.second) }
    while let last = lastTick, time - last >= Self.second {
      tick(at: last + Self.second)
      lastTick = last + Self.second
    }
  }

  /// Returns the findings since the last call.
  public mutating func takeFindings() -> [BeaconFinding] {
    defer { findings = [] }
    return findings
  }

  /// The time of the next call of `advance` without sightings; `.never` while silence does not count.
  public var nextWake: Instant {
    guard !isIdle, settings.isStationary, isListening, let lastTick else { return .never }
    return lastTick + Self.longestQuiet
  }
}

// MARK: Time

extension BeaconHealthMonitor {
  /// Whether every adapter that hears beacons can hear.
  private var canHear: Bool {
    let needed = hearers.today.union(hearers.yesterday)
    return !reception.hearing.isEmpty && needed.subtracting(reception.hearing).isEmpty
  }

  /// Whether silence counts: the adapters hear, and something was received lately.
  private var isListening: Bool {
    guard canHear, let lastTick, let lastReception else { return false }
    return lastTick - lastReception < Self.longestQuiet
  }

  /// Returns the listening time at an instant after the last tick.
  private func clock(at time: Instant) -> Span {
    guard isListening, let lastTick else { return clock }
    return clock + min(Self.second, max(.zero, time - lastTick))
  }

  private mutating func tick(at time: Instant) {
    matchFrames(at: time)
    endDuplicates(at: time)
    forgetLostAdapters(at: time)
    guard isListening else { return }
    clock = clock + Self.second
    if settings.isStationary { checkSilence(at: time) }
    if clock >= nextHour {
      nextHour = clock + Self.hour
      closeHour(at: time)
    }
    if clock >= nextDay {
      nextDay = clock + Self.day
      for position in entries.indices { entries[position].closeDay() }
      // The longest gaps may be shorter now.
      nextDeadline = clock
      hearers = (.none, hearers.today)
    }
  }

  /// Learns the beacons again without an adapter that is gone for good.
  private mutating func forgetLostAdapters(at time: Instant) {
    let needed = hearers.today.union(hearers.yesterday)
    guard !needed.subtracting(reception.present).isEmpty else { return lossStart = nil }
    let start = lossStart ?? time
    lossStart = start
    guard time - start >= Self.lossToForget, !reception.hearing.isEmpty else { return }
    hearers = (needed.intersection(reception.present), .none)
    for position in entries.indices {
      entries[position].learned = .zero
      entries[position].lastHeard = clock
    }
  }
}
