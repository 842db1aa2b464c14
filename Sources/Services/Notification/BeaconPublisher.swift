import Beacons
import EventActions
import Instants
import Publishing
import Records

/// The readings and the presence of the beacons of one target.
///
/// The publisher limits the number of beacons and the rate of messages. It never treats silence of the daemon as absence of a beacon.
final class BeaconPublisher {
  /// The maximum number of beacons that are not listed in the configuration.
  static let capacity = 64
  /// The shortest time between two readings of a beacon.
  static let interval = Span.seconds(4)
  /// The number of readings after an announcement that are sent even if they have not changed.
  ///
  /// Home Assistant misses those that arrive before it has created the sensors.
  static let firstReadings = 3
  /// The time after which an unchanged reading is sent again. It is well below the expiry of the sensors.
  static let refresh = Span.seconds(20)
  /// The time without the daemon's reports after which no presence is known.
  static let grace = Span.seconds(30)
  /// The silence after which a beacon makes room for a new one.
  static let disuse = Span.seconds(86_400)

  private enum Presence: String {
    case home
    case away = "not_home"
    case unknown
  }

  private struct Entry {
    var name: String?
    var presence = Presence.unknown
    var lastHeard: Instant
    var lastReading: (time: Instant, report: BeaconReport)?
    /// The number of readings since the last announcement.
    var readings = 0
    var lastRoom: Instant?
    /// Whether the beacon has reported the voltage of its battery.
    var hasBattery = false

    init(lastHeard: Instant) { self.lastHeard = lastHeard }

    /// Creates the entry of a beacon that keeps the presence of the former entry.
    init(_ former: Entry?, _ name: String?, at now: Instant) {
      self.init(lastHeard: former?.lastHeard ?? now)
      (self.name, presence, hasBattery) = (name, former?.presence ?? .unknown, former?.hasBattery ?? false)
    }
  }

  let settings: BeaconPublishing
  let target: any StateTarget
  /// The beacons of regions; nothing for listed beacons.
  let constraints: Set<BeaconConstraint>
  /// The constraints that a session ranges. The presence of other beacons is unknown.
  var observed: Set<BeaconConstraint> = []
  private var entries: [BeaconIdentity: Entry] = [:]
  /// The time since which the daemon reports beacons; nil while it does not.
  private var listeningSince: Instant?
  /// The time since which the daemon does not report beacons; nil while it does, or after the presence was forgotten.
  private var notListeningSince: Instant?
  /// Whether beacons were refused, because there are too many.
  private(set) var isFull = false

  /// - Parameters:
  ///   - known: the beacons that were announced before.
  ///   - former: the publisher with other settings that this one replaces; nil for the first one of the target.
  init(
    _ settings: BeaconPublishing, _ constraints: Set<BeaconConstraint>, _ target: any StateTarget, known: [BeaconIdentity],
    continuing former: BeaconPublisher? = nil, at now: Instant
  ) {
    (self.settings, self.constraints, self.target) = (settings, constraints, target)
    (listeningSince, notListeningSince) = (former?.listeningSince, former?.notListeningSince)
    switch settings.selection {
    case .listed(let beacons):
      for beacon in beacons { entries[beacon.identity] = Entry(former?.entries[beacon.identity], beacon.name, at: now) }
    case .regions:
      let former = former?.entries.filter { entry in constraints.contains { $0.contains(entry.key) } } ?? [:]
      for (beacon, entry) in former.sorted(by: { ($1.value.lastHeard, $0.key) < ($0.value.lastHeard, $1.key) }).prefix(Self.capacity) {
        entries[beacon] = Entry(entry, nil, at: now)
      }
      add(known: known, at: now)
    }
  }

  /// Adds beacons of regions that were announced before.
  func add(known: [BeaconIdentity], at now: Instant) {
    guard case .regions = settings.selection else { return }
    let new = known.sorted().filter { beacon in entries[beacon] == nil && constraints.contains { $0.contains(beacon) } }
    for beacon in new.prefix(max(0, Self.capacity - entries.count)) { entries[beacon] = Entry(lastHeard: now) }
  }

  /// The announced beacons in a stable order.
  var beacons: [BeaconIdentity] { entries.keys.sorted() }

  /// The constraints to range.
  var demand: Set<BeaconConstraint> {
    guard case .listed(let beacons) = settings.selection else { return constraints }
    return Set(beacons.map { BeaconConstraint(uuid: $0.identity.uuid, major: $0.identity.major, minor: $0.identity.minor) })
  }

  /// Returns the messages that make a beacon appear in Home Assistant.
  func announcements(of beacon: BeaconIdentity, hasMonitor: Bool) -> [Publication] {
    guard let home = target.home else { return [] }
    let name = entries[beacon]?.name ?? "Beacon \(beacon.major)-\(beacon.minor)"
    return home.announcements(
      of: beacon, name: name, settings.entities, hasMonitor: hasMonitor, hasBattery: entries[beacon]?.hasBattery ?? false)
  }

  /// Returns the retained presence of a beacon, if it is published.
  func presence(of beacon: BeaconIdentity) -> [Publication] {
    guard settings.entities.contains(.tracker), let entry = entries[beacon] else { return [] }
    return [Publication(target.topics.presence(of: beacon), entry.presence.rawValue, isRetained: true)]
  }

  /// Call when the beacons are announced to a broker that may be new.
  func wasAnnounced() {
    for beacon in entries.keys { entries[beacon]?.readings = 0 }
  }

  // MARK: Input

  /// Takes the beacons in range.
  ///
  /// - Returns: the beacons that are new or have another entity, and whether others were removed to make room.
  func take(_ reports: [BeaconReport], at now: Instant) -> (added: [BeaconIdentity], hasRemoved: Bool) {
    var added: [BeaconIdentity] = []
    var hasRemoved = false
    for report in reports {
      guard let beacon = report.identity else { continue }
      if entries[beacon] == nil {
        guard case .regions = settings.selection, constraints.contains(where: { $0.contains(beacon) }) else { continue }
        if entries.count >= Self.capacity {
          guard let unused = unused(at: now) else {
            isFull = true
            continue
          }
          entries[unused] = nil
          hasRemoved = true
        }
        entries[beacon] = Entry(lastHeard: now)
        added.append(beacon)
      }
      if report.battery != nil, entries[beacon]?.hasBattery == false {
        entries[beacon]?.hasBattery = true
        if added.last != beacon { added.append(beacon) }
      }
      hear(beacon, report, at: now)
    }
    return (added, hasRemoved)
  }

  /// Call when the daemon begins or ceases to report beacons.
  func listeningChanged(_ isListening: Bool, at now: Instant) {
    guard isListening != (listeningSince != nil) else { return }
    (listeningSince, notListeningSince) = isListening ? (now, nil) : (nil, now)
  }

  /// Publishes the presence of the beacons that have been silent for too long.
  func advance(to now: Instant) {
    if let notListeningSince, now >= notListeningSince + Self.grace {
      self.notListeningSince = nil
      for beacon in beacons { setPresence(.unknown, of: beacon) }
    }
    for beacon in beacons where !isObserved(beacon) { setPresence(.unknown, of: beacon) }
    for beacon in beacons where departure(of: beacon).map({ $0 <= now }) == true { setPresence(.away, of: beacon) }
  }

  /// The time of the next call of `advance`.
  var deadline: Instant {
    let departures = entries.keys.compactMap { departure(of: $0) }
    return min(departures.min() ?? .never, notListeningSince.map { $0 + Self.grace } ?? .never)
  }

  // MARK: Decisions

  /// Returns the time at which a beacon is away unless it is heard before; nil if that is known already, or cannot be known.
  private func departure(of beacon: BeaconIdentity) -> Instant? {
    guard let listeningSince, let entry = entries[beacon], entry.presence != .away, isObserved(beacon) else { return nil }
    return max(entry.lastHeard, listeningSince) + settings.awayAfter
  }

  private func isObserved(_ beacon: BeaconIdentity) -> Bool { observed.contains { $0.contains(beacon) } }

  private func unused(at now: Instant) -> BeaconIdentity? {
    entries.filter { now - $0.value.lastHeard >= Self.disuse }.min { ($0.value.lastHeard, $0.key) < ($1.value.lastHeard, $1.key) }?.key
  }

  private func setPresence(_ presence: Presence, of beacon: BeaconIdentity) {
    guard entries[beacon]?.presence != presence else { return }
    entries[beacon]?.presence = presence
    target.publish(self.presence(of: beacon))
  }

  private func hear(_ beacon: BeaconIdentity, _ report: BeaconReport, at now: Instant) {
    entries[beacon]?.lastHeard = now
    setPresence(.home, of: beacon)
    guard let entry = entries[beacon] else { return }
    if isDue(entry, report, at: now), target.report([Publication(target.topics.reading(of: beacon), report.record.json, isRetained: false)])
    {
      entries[beacon]?.lastReading = (now, report)
      entries[beacon]?.readings += 1
    }
    guard let room = settings.room, report.distance != nil, entry.lastRoom.map({ now - $0 >= Self.interval }) ?? true else { return }
    let topic = "\(settings.roomTopic)/\(room)"
    if target.report([Publication(topic, roomMessage(beacon, entry, report), isRetained: false)]) { entries[beacon]?.lastRoom = now }
  }

  private func isDue(_ entry: Entry, _ report: BeaconReport, at now: Instant) -> Bool {
    guard !settings.entities.isDisjoint(with: [.distance, .rssi, .battery]) else { return false }
    guard let (time, last) = entry.lastReading else { return true }
    if now - time >= Self.refresh { return true }
    guard now - time >= Self.interval else { return false }
    if entry.readings < Self.firstReadings { return true }
    return (report.distance == nil) != (last.distance == nil) || report.place != last.place || report.proximity != last.proximity
      || differ(report.battery, last.battery, by: 0.02)
      || differ(report.distance, last.distance, by: max(0.2, (last.distance ?? 0) / 10)) || differ(report.rssi, last.rssi, by: 3)
  }

  private func differ(_ a: Double?, _ b: Double?, by limit: Double) -> Bool {
    guard let a, let b else { return a != b }
    return abs(a - b) >= limit
  }

  /// Returns the message of the integration `mqtt_room`, which requires `id` and `distance`.
  private func roomMessage(_ beacon: BeaconIdentity, _ entry: Entry, _ report: BeaconReport) -> String {
    Record([
      "id": .text(TopicTree.id(of: beacon)), "name": entry.name.map { .text($0) }, "distance": report.distance.map { .metres($0) },
      "rssi": report.rssi.map { .rssi($0) },
    ]).json
  }
}

extension BeaconReport {
  /// The identity of the beacon; nil for an incomplete report, which the daemon does not send.
  fileprivate var identity: BeaconIdentity? {
    guard let uuid, let major, let minor else { return nil }
    return BeaconIdentity(uuid: uuid, major: major, minor: minor)
  }
}
