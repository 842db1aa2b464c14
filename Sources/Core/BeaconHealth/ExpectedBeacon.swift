import BeaconAdvertising
import Beacons
import Instants
import Ranging

/// The learned and the present values of one expected beacon.
struct ExpectedBeacon: Sendable {
  /// The maximum number of adapters whose levels are followed.
  static let mostAdapters = 4
  /// The listening time from which silence counts.
  static let timeToLearn = Span.seconds(3600)
  /// The minimum of the longest gap. With a shorter one, a person who blocks the signal in passing would cause an alarm.
  static let leastGap = Span.seconds(20)
  /// The silence in longest gaps after which a beacon is overdue, so that the alarm comes within three of them.
  static let overdueFactor = 2.9

  let beacon: BeaconIdentity
  /// The listening time since the first advertisement.
  var learned = Span.zero
  /// The longest gaps of today and yesterday.
  var longest = (today: Span.zero, yesterday: Span.zero)
  /// The interval of the beacon; nil while it is unknown.
  var interval: Span?
  /// The time of the last advertisement; nil before the first one since the start.
  var lastSeen: Instant?
  var lastAdapter: UInt16 = 0
  /// The listening time at the last advertisement, or at the start of listening.
  var lastHeard = Span.zero
  var levels: [UInt16: LevelHistory] = [:]
  var transmitters = TransmitterWatch()
  var battery = BatteryWatch()
  /// The present problems, with their times.
  var problems: [BeaconProblem: Instant] = [:]
  /// The cause of a weak or moved beacon, which determines the end of the problem.
  var causes: [BeaconProblem: BeaconFinding.Cause] = [:]
  private var gaps: AdvertisementGaps?

  init(_ beacon: BeaconIdentity) {
    self.beacon = beacon
  }

  var isLearned: Bool { learned >= Self.timeToLearn }

  /// The longest gap that counts.
  var longestGap: Span { max(Self.leastGap, longest.today, longest.yesterday) }

  /// Returns whether the beacon has been silent for too long, by the listening time.
  func isOverdue(at clock: Span) -> Bool { isLearned && clock - lastHeard > longestGap * Self.overdueFactor }

  /// Returns the listening time until which the beacon is not overdue, if nothing is heard.
  func deadline(at clock: Span) -> Span { (isLearned ? lastHeard : clock) + longestGap * Self.overdueFactor }

  /// The level of the adapter that receives the beacon best, and its usual one.
  var strongest: LevelHistory? { levels.values.max { ($0.recent ?? -.infinity) < ($1.recent ?? -.infinity) } }

  /// Applies an advertisement, and returns the evidence for a second transmitter.
  mutating func hear(_ sighting: Sighting, clock: Span) -> BeaconFinding.Cause? {
    let time = sighting.time
    // A gap that was reported is not a usual one.
    if lastSeen != nil, problems[.missing] == nil { longest.today = max(longest.today, clock - lastHeard) }
    if lastSeen != nil || isLearned { learned = learned + max(.zero, clock - lastHeard) }
    (lastSeen, lastHeard, lastAdapter) = (time, clock, sighting.adapter)
    if gaps?.hear(at: time) == nil { gaps = AdvertisementGaps(from: time) }
    if let rssi = sighting.rssi, levels[sighting.adapter] != nil || levels.count < Self.mostAdapters {
      levels[sighting.adapter, default: LevelHistory()].hear(rssi)
    }
    return transmitters.hear(
      sighting.transmitter, rssi: sighting.rssi, adapter: sighting.adapter, at: time, interval: interval, isLearning: !isLearned)
  }

  mutating func closeHour() {
    for adapter in levels.keys { levels[adapter]?.closeHour() }
    if problems[.duplicate] == nil, let learned = gaps?.reception?.interval { interval = .seconds(learned) }
  }

  mutating func closeDay() { longest = (.zero, longest.today) }

  /// Applies the levels of the hour that was closed.
  ///
  /// - Parameter shift: the dB by which all beacons changed.
  mutating func applyLevels(shift: Double) {
    for adapter in levels.keys { levels[adapter]?.apply(shift: shift) }
  }

  /// The change on which all adapters agree that heard the beacon in the last hour; nil if there is none.
  var change: LevelHistory.Change? {
    let changes = Set(levels.values.filter { $0.median != nil }.map(\.change))
    return changes.count == 1 ? changes.first ?? nil : nil
  }

  func evidence(_ cause: BeaconFinding.Cause) -> BeaconFinding.Evidence {
    var evidence = BeaconFinding.Evidence(cause)
    evidence.lastSeen = lastSeen
    if lastSeen != nil { evidence.adapter = lastAdapter }
    if isLearned { evidence.longestGap = longestGap }
    let history = strongest
    evidence.level = history?.recent
    if history?.isLearned ?? false { evidence.usualLevel = history?.usual }
    (evidence.voltage, evidence.temperature) = (battery.voltage, battery.temperature)
    if cause == .addresses || cause == .phases { (evidence.level, evidence.otherLevel) = transmitters.levels(cause) }
    return evidence
  }
}
