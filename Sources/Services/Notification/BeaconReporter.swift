import Beacons
import EventActions
import Instants
import Logging
import Publishing
import Records
import Scheduling

/// Publishes beacons and the location of the device at the targets that want them.
///
/// Without such a target there is no session and no timer.
final class BeaconReporter {
  /// The shortest time between two locations.
  static let locationInterval = Span.seconds(10)

  let scheduler: any Scheduler
  private let link: (any ObservationLink)?
  private let batcher: OutboxBatcher
  private let log: Logger
  private var publishers: [String: BeaconPublisher] = [:]
  /// The targets that publish the location.
  private var locationTargets: [String: any StateTarget] = [:]
  /// The targets at which regions precede the beacons.
  private var monitors: Set<String> = []
  private var demand = ObservationDemand()
  private var observation: AnyObject?
  private var isListening = false
  private var timer: (any SchedulerTimer)?
  private var location: DeviceLocation?
  private var publishedLocation: (time: Instant, location: DeviceLocation?)?
  private var locationTimer: (any SchedulerTimer)?
  /// The targets for which too many beacons were logged.
  private var logged: Set<String> = []
  /// The targets whose excessive demand was logged.
  private var loggedDemands: Set<String> = []

  init(_ scheduler: any Scheduler, _ link: (any ObservationLink)?, _ batcher: OutboxBatcher, log: Logger) {
    self.scheduler = scheduler
    self.link = link
    self.batcher = batcher
    self.log = log
    timer = scheduler.timer { [unowned self] in advance() }
    locationTimer = scheduler.timer { [unowned self] in publishLocation() }
  }

  // MARK: Settings

  func use(_ settings: NotificationSettings, _ targets: [String: any StateTarget]) {
    var (former, now) = (publishers, scheduler.now)
    (publishers, locationTargets, monitors) = ([:], [:], [])
    for configured in settings.targets {
      guard case .mqtt(let broker) = configured.means, let target = targets[configured.name] else { continue }
      let regions = settings.regions(of: configured.name)
      if !regions.isEmpty || broker.publishesLocation { monitors.insert(configured.name) }
      if broker.publishesLocation { locationTargets[configured.name] = target }
      guard let publishing = broker.beacons else { continue }
      let constraints = publishing.selection == .regions ? Set(regions.compactMap { settings.constraints[$0] }) : []
      let publisher = former.removeValue(forKey: configured.name)
      if let publisher, publisher.target === target, publisher.settings == publishing, publisher.constraints == constraints {
        publishers[configured.name] = publisher
      } else {
        let publisher = BeaconPublisher(publishing, constraints, target, known: known(to: configured.name), continuing: publisher, at: now)
        publisher.listeningChanged(isListening, at: now)
        publishers[configured.name] = publisher
        target.announce()
      }
    }
    logged.formIntersection(publishers.keys)
    observe()
    advance()
  }

  /// Returns the beacons that an earlier run announced.
  private func known(to name: String) -> [BeaconIdentity] {
    (batcher.announced(to: name) ?? []).compactMap { name in
      if case .beacon(let beacon) = AnnouncedEntity(storedName: name) { beacon } else { nil }
    }
  }

  /// Adds the beacons of another outbox. Call this before announcing.
  func outboxChanged() {
    for (name, publisher) in publishers { publisher.add(known: known(to: name), at: scheduler.now) }
    advance()
  }

  private func observe() {
    let constraints = Self.reduced(publishers.values.reduce(into: []) { $0.formUnion($1.demand) })
    for (name, publisher) in publishers {
      publisher.observed = constraints
      guard !publisher.demand.allSatisfy({ wanted in constraints.contains { $0.covers(wanted) } }) else { continue }
      if loggedDemands.insert(name).inserted {
        log.warning("\(name): the beacons have more than \(BeaconConstraint.mostPerSession) UUIDs; those of the last ones are unknown")
      }
    }
    loggedDemands.formIntersection(publishers.keys)
    let demand = ObservationDemand(constraints, needsLocation: !locationTargets.isEmpty)
    guard demand != self.demand else { return }
    self.demand = demand
    // A broker keeps the last location, which is unknown unless the new session reports one soon.
    location = nil
    if !demand.needsLocation { publishedLocation = nil }
    locationTimer?.arm(at: publishedLocation == nil ? .never : scheduler.now + Self.locationInterval)
    setListening(false)
    // The former session ends first, so that there are never two.
    observation = nil
    guard !demand.isEmpty else { return }
    observation = link?.observe(demand) { [weak self] in self?.take($0) }
  }

  /// Returns as many constraints as a session takes, which contain all of these: wider ones if there are too many.
  static func reduced(_ constraints: Set<BeaconConstraint>) -> Set<BeaconConstraint> {
    let wider: [(BeaconConstraint) -> BeaconConstraint] = [
      { $0 }, { BeaconConstraint(uuid: $0.uuid, major: $0.major, minor: nil) ?? $0 }, { BeaconConstraint(uuid: $0.uuid) },
    ]
    for widen in wider {
      let all = Set(constraints.map(widen))
      let reduced = all.filter { constraint in !all.contains { $0 != constraint && $0.covers(constraint) } }
      if reduced.count <= BeaconConstraint.mostPerSession { return reduced }
    }
    return Set(constraints.map(\.uuid).sorted().prefix(BeaconConstraint.mostPerSession).map { BeaconConstraint(uuid: $0) })
  }

  // MARK: Observations

  private func take(_ observation: Observation) {
    switch observation {
    case .beacons(let reports, _):
      for (name, publisher) in publishers { take(reports, publisher, name) }
      advance()
    case .listening(let isListening): setListening(isListening)
    case .location(let location):
      self.location = location
      publishLocation()
    }
  }

  private func take(_ reports: [BeaconReport], _ publisher: BeaconPublisher, _ name: String) {
    let (added, hasRemoved) = publisher.take(reports, at: scheduler.now)
    if publisher.isFull, logged.insert(name).inserted {
      log.notice(
        "\(name): \(BeaconPublisher.capacity) beacons are published, and further ones are not; list the beacons that matter in \"beacons\"")
    }
    if hasRemoved { return publisher.target.announce() }
    guard !added.isEmpty else { return }
    // Without discovery there is nothing to remove later.
    if publisher.target.home != nil {
      batcher.changeAnnounced(to: name) { $0.union(added.map { AnnouncedEntity.beacon($0).storedName }) }
    }
    for beacon in added {
      publisher.target.publish(publisher.announcements(of: beacon, hasMonitor: monitors.contains(name)) + publisher.presence(of: beacon))
    }
  }

  private func setListening(_ isListening: Bool) {
    self.isListening = isListening
    for publisher in publishers.values { publisher.listeningChanged(isListening, at: scheduler.now) }
    advance()
  }

  private func advance() {
    for publisher in publishers.values { publisher.advance(to: scheduler.now) }
    timer?.arm(at: publishers.values.map(\.deadline).min() ?? .never)
  }

  // MARK: Location

  private func publishLocation() {
    guard publishedLocation.map({ $0.location != location }) ?? (location != nil) else { return }
    if let last = publishedLocation, scheduler.now - last.time < Self.locationInterval {
      locationTimer?.arm(at: last.time + Self.locationInterval)
      return
    }
    publishedLocation = (scheduler.now, location)
    for target in locationTargets.values { target.publish([locationMessage(target)]) }
  }

  private func locationMessage(_ target: any StateTarget) -> Publication {
    // Without coordinates the tracker is unknown.
    let record = publishedLocation?.location.map { location in
      Record([
        "latitude": .degreesOnEarth(location.latitude), "longitude": .degreesOnEarth(location.longitude),
        "gps_accuracy": location.accuracy.map { .integer(Int64(max(1, min($0, 1e6)).rounded(.up))) },
        "description": location.description.map { .text($0) },
      ])
    }
    return Publication(target.topics.location, (record ?? Record()).json, isRetained: true)
  }

  // MARK: Announcements

  func entities(of name: String) -> [AnnouncedEntity] {
    (locationTargets[name] == nil ? [] : [.location]) + (publishers[name]?.beacons ?? []).map { .beacon($0) }
  }

  /// Returns the entities and the retained states at a target, which begins to receive readings again.
  func announcements(to name: String) -> (entities: [Publication], states: [Publication]) {
    var (entities, states): ([Publication], [Publication]) = ([], [])
    if let target = locationTargets[name] {
      if let home = target.home { entities.append(home.locationAnnouncement) }
      states.append(locationMessage(target))
    }
    if let publisher = publishers[name] {
      publisher.wasAnnounced()
      for beacon in publisher.beacons {
        entities += publisher.announcements(of: beacon, hasMonitor: monitors.contains(name))
        states += publisher.presence(of: beacon)
      }
    }
    return (entities, states)
  }
}

extension BeaconConstraint {
  /// Whether every beacon of the other constraint is one of this one.
  fileprivate func covers(_ other: BeaconConstraint) -> Bool {
    uuid == other.uuid && (major == nil || major == other.major) && (minor == nil || minor == other.minor)
  }
}
