import EventActions
import Events
import Publishing
import Regions

/// The present states of regions at the targets that hold them.
///
/// Past events never change these states: after an interruption, the daemon reports the present ones. Until then, each target shows its
/// states as unavailable.
final class StatePublisher {
  private struct Subscriber {
    let target: any StateTarget
    /// The regions whose states the target holds, in the order of the configuration.
    var regions: [String] = []
    /// The regions among these that have no beacons.
    var circles: Set<String> = []
    /// The host and the port; nil for a target that is not a broker.
    var address: String?
  }

  private let batcher: OutboxBatcher
  private let beacons: BeaconReporter
  private var subscribers: [String: Subscriber] = [:]
  /// The present state of each region; nil until the daemon has reported them.
  private var present: [String: RegionStateReport]?
  /// The last event of each published region as JSON.
  private var lastEvents: [String: String] = [:]
  private var published: Set<String> = []
  /// Whether there were events that no target has received as the last ones.
  private var hasUnsentEvents = false
  /// Whether the daemon runs.
  var isMonitorThere = false {
    didSet { if isMonitorThere != oldValue { updateCurrency() } }
  }

  init(_ batcher: OutboxBatcher, _ beacons: BeaconReporter) {
    (self.batcher, self.beacons) = (batcher, beacons)
  }

  var missingRegions: Set<String> { present.map { published.subtracting($0.keys) } ?? [] }
  var regionsWithoutEvent: Set<String> { published.subtracting(lastEvents.keys) }

  /// Applies settings, and announces the regions of targets whose regions have changed.
  func use(_ settings: NotificationSettings, _ targets: [String: any StateTarget]) {
    let former = subscribers
    subscribers = [:]
    for (name, target) in targets {
      var subscriber = Subscriber(target: target)
      subscriber.regions = settings.regions(of: name)
      subscriber.circles = settings.circles.intersection(subscriber.regions)
      if case .mqtt(let broker)? = settings.targets.first(where: { $0.name == name })?.means {
        subscriber.address = "\(broker.host.lowercased()):\(broker.port)"
      }
      subscribers[name] = subscriber
    }
    for (name, subscriber) in subscribers {
      guard let earlier = former[name], earlier.target === subscriber.target else { continue }
      subscriber.target.reconnect()
      if earlier.regions != subscriber.regions || earlier.circles != subscriber.circles { subscriber.target.announce() }
    }
    published = Set(subscribers.values.flatMap(\.regions))
    lastEvents = lastEvents.filter { published.contains($0.key) }
    updateCurrency()
  }

  /// A target without regions needs no states.
  private func updateCurrency() {
    for subscriber in subscribers.values {
      subscriber.target.isCurrent = isMonitorThere && (present != nil || subscriber.regions.isEmpty)
    }
  }

  /// Sends all announcements again.
  func announce() {
    for subscriber in subscribers.values { subscriber.target.announce() }
  }

  func note(_ regions: [RegionStateReport]) {
    let new = Dictionary(regions.map { ($0.region, $0) }) { $1 }
    guard new != present || hasUnsentEvents else { return }
    present = new
    hasUnsentEvents = false
    // Sends the states before the target shows them as available.
    announce()
    updateCurrency()
  }

  func note(lastEvents events: [Event]) {
    for event in events {
      // An event that arrived meanwhile is newer.
      guard let region = event.region, published.contains(region), lastEvents[region] == nil else { continue }
      let json = event.json
      lastEvents[region] = json
      for subscriber in subscribers.values where subscriber.regions.contains(region) {
        subscriber.target.publish([subscriber.target.topics.retained(lastEvent: json, of: region)])
      }
    }
  }

  func forget() {
    present = nil
    updateCurrency()
  }

  func accept(_ events: [Event], isLive: Bool) {
    for event in events {
      guard let region = event.region, published.contains(region) else { continue }
      let json = event.json
      lastEvents[region] = json
      // Until the daemon has reported all states, its report has the first state of each.
      guard isLive, present != nil else {
        hasUnsentEvents = true
        continue
      }
      let report = event.state.map { RegionStateReport(region: region, state: $0, beacon: event.beacon) }
      if let report { present?[region] = report }
      for subscriber in subscribers.values where subscriber.regions.contains(region) {
        let topics = subscriber.target.topics
        let state = report.map { topics.retained($0.state, $0.beacon, of: region) } ?? []
        subscriber.target.publish([topics.retained(lastEvent: json, of: region)] + state)
      }
    }
  }

  /// Returns what a target receives with every connection: removed entities, entities, and the present states.
  func announcement(to name: String) -> Announcement {
    guard let subscriber = subscribers[name] else { return .none }
    let (topics, regions) = (subscriber.target.topics, subscriber.regions)
    // A region that the daemon does not know has an unknown state.
    let states = regions.lazy.flatMap { [present, lastEvents] region -> [Publication] in
      guard let present else { return [] }
      let event = lastEvents[region].map { [topics.retained(lastEvent: $0, of: region)] } ?? []
      let report = present[region]
      return event + topics.retained(report?.state ?? .unknown, report?.beacon, of: region)
    }
    let beacons = beacons.announcements(to: name)
    let withdrawal = withdrawal(subscriber, name)
    let entities = regions.lazy.flatMap { [circles = subscriber.circles, home = subscriber.target.home] in
      home?.announcements(of: $0, hasBeacons: !circles.contains($0)) ?? []
    }
    let messages = [
      AnySequence(withdrawal.removals), AnySequence(entities), AnySequence(beacons.entities), AnySequence(states),
      AnySequence(beacons.states),
    ].joined()
    return Announcement(AnySequence(messages), clearings: withdrawal.clearings, isRemoving: !withdrawal.names.isEmpty) { [weak self] in
      guard let self else { return }
      batcher.changeAnnounced(to: name) { $0.subtracting(withdrawal.names) }
      // The last announcement of an entity that stays may have named topics that are cleared now.
      for other in withdrawal.sharers { subscribers[other]?.target.announce() }
    }
  }

  /// Returns the entities that a target announces.
  private func wanted(_ subscriber: Subscriber, _ name: String) -> Set<AnnouncedEntity> {
    Set(subscriber.regions.map { AnnouncedEntity.region($0) } + beacons.entities(of: name))
  }

  private struct Withdrawal {
    var removals: [Publication] = []
    var clearings: [Publication] = []
    /// The stored names of the entities that are withdrawn.
    var names: Set<String> = []
    /// The names of other targets that announce some of these entities.
    var sharers: Set<String> = []
  }

  /// Returns the messages that remove the entities that are not wanted any more, and records the wanted ones.
  ///
  /// The removed ones stay in the list until their topics are cleared, which a lost connection may delay. Entities and topics that
  /// another target at the same broker announces stay there.
  private func withdrawal(_ subscriber: Subscriber, _ name: String) -> Withdrawal {
    var withdrawal = Withdrawal()
    let (target, wanted) = (subscriber.target, wanted(subscriber, name))
    // The entities are unknown while the disk fails, so none is withdrawn.
    guard let stored = batcher.announced(to: name) else { return withdrawal }
    let others = subscribers.filter { $0.key != name && $0.value.address != nil && $0.value.address == subscriber.address }
      .map { (name: $0.key, target: $0.value.target, wanted: self.wanted($0.value, $0.key)) }
    let present = target.home.map { DiscoveryPlace($0) }
    let former = Set(stored.compactMap { DiscoveryPlace(storedName: $0) })
    let known = stored.filter { DiscoveryPlace(storedName: $0) == nil }.map { AnnouncedEntity(storedName: $0) }
      .sorted { $0.storedName < $1.storedName }
    // A list without a place comes from an earlier version.
    let places = former.isEmpty && !known.isEmpty ? [target.formerPlace] : former
    for place in places {
      let isSame = place.hasEntities(of: present)
      for entity in known where !isSame || !wanted.contains(entity) {
        let sharers = others.filter { other in
          other.wanted.contains(entity) && other.target.home.map { place.hasEntities(of: DiscoveryPlace($0)) } == true
        }
        if sharers.isEmpty { withdrawal.removals += place.home.removals(of: entity) }
        withdrawal.sharers.formUnion(sharers.map(\.name))
      }
      for entity in known where place.base != target.topics.base || !wanted.contains(entity) {
        guard !others.contains(where: { $0.wanted.contains(entity) && $0.target.topics.base == place.base }) else { continue }
        withdrawal.clearings += place.home.topics.clearings(of: entity)
      }
      if place != present { withdrawal.names.insert(place.storedName) }
    }
    withdrawal.names.formUnion(known.filter { !wanted.contains($0) }.map(\.storedName))
    // Without discovery there is nothing to remove later.
    let added = present.map { [$0.storedName] + wanted.map(\.storedName) } ?? []
    let all = stored.union(places.map(\.storedName)).union(added)
    if all != stored { batcher.setAnnounced(all, to: name) }
    if present == nil { withdrawal.names = all }
    return withdrawal
  }
}
