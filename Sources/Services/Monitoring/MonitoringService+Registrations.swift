import ConfigurationTree
import Consent
import ConsentService
import Instants
import Logging
import Proximity
import Records
import Regions
import Scheduling
import Status

// MARK: Watching registered regions

extension MonitoringService {
  /// Watches the regions of the users who allow it at any time, and no regions of others.
  func updateRegistrations() {
    if registrations.isFileLate {
      for user in registrations.users.values {
        let regions = journaledRegions(of: user)
        if regions.isWatched { pause(user, regions) }
      }
    }
    registrations.read()
    for user in registrations.users.values {
      let regions = journaledRegions(of: user)
      let isAllowed = consent.verdict(forUser: user.number).authorization.covers(.always)
      guard isAllowed != regions.isWatched else { continue }
      if isAllowed { resume(user, regions) } else { pause(user, regions) }
    }
  }

  private func journaledRegions(of user: RegisteringUser) -> JournaledRegions {
    if let regions = registered[user.number] { return regions }
    let regions = JournaledRegions(openJournal(user.number), of: user)
    registered[user.number] = regions
    return regions
  }

  /// Resumes a user's regions as after a restart: a visitor who stayed causes no second enter event.
  private func resume(_ user: RegisteringUser, _ regions: JournaledRegions) {
    regions.isWatched = true
    regions.journal.onChange = { [unowned self, unowned regions] in journalChanged(regions) }
    begin { engine in
      engine.setLastSequence(regions.journal.lastSequence, of: user.row)
      for region in user.regions { watch(region, of: user, in: &engine) }
    }
    if isClockKnown { restore(regions, at: driver.engine.now) }
  }

  /// Stops watching a user's regions, and drops events that were not delivered yet.
  private func pause(_ user: RegisteringUser, _ regions: JournaledRegions) {
    save(regions)
    regions.isWatched = false
    adjust { engine in
      for region in user.regions { if let owner = user.owner(of: region.app) { engine.remove([region.identifier], of: owner) } }
    }
  }

  /// Watches a region, and replaces one of the same identifier without an event.
  private func watch(_ registration: Registration, of user: RegisteringUser, in engine: inout ProximityEngine) {
    guard let owner = user.owner(of: registration.app) else { return }
    do {
      engine.add(try decoder.region(RegionJSON.nodes(registration.definition), of: owner), at: engine.now)
    } catch let error as RegionRefusal {
      log.warning(
        "\(registration.app) of user \(user.number): its region \"\(registration.identifier)\" is invalid and has no effect until the app registers it again: \(error.reason)"
      )
    } catch {
      log.warning(
        "\(registration.app) of user \(user.number): its region \"\(registration.identifier)\" is damaged and has no effect until the app registers it again: \(error)"
      )
    }
  }
}

// MARK: Requests of apps

/// The regions that outlive the sessions that registered them.
///
/// Each belongs to a user and an app, and its identifier is unique within the app. It works while its user is allowed `always`; otherwise
/// it is kept, but delivers no events.
extension MonitoringService {
  /// Registers a region for a client. A region of the same identifier is replaced without an event.
  ///
  /// - Parameter definition: a definition that makes a region; see `region(_:of:)`.
  public func register(
    _ definition: [String: ConfigurationNode], as identifier: String, of app: AppID, for client: ConsentClient
  ) throws(RegistrationError) {
    let old = registrations.users[client.person.number]?.regions.first { $0.app == app && $0.identifier == identifier }
    let registration = Registration(
      user: client.person.number, app: app, identifier: identifier, purpose: client.purpose, definition: RegionJSON.text(definition),
      // A region that an app registers again unchanged at each start keeps its place.
      time: old?.time ?? scheduler.wallClock)
    guard registration != old else { return }
    let user = try registrations.add(registration)
    if journaledRegions(of: user).isWatched { begin { watch(registration, of: user, in: &$0) } } else { updateRegistrations() }
  }

  /// Removes a region. No event of it follows, not even one of an earlier change.
  ///
  /// - Parameter identifier: the region's identifier; nil for all regions of the app.
  public func unregister(_ identifier: String?, of app: AppID, user number: UInt32) throws(RegistrationError) {
    guard let user = registrations.users[number], let owner = user.owner(of: app) else { return }
    let gone = try registrations.remove(identifier, of: app, from: user)
    adjust { $0.remove(gone, of: owner) }
    guard let regions = registered[number] else { return }
    guard user.regions.isEmpty else { return save(regions) }
    registered[number] = nil
    regions.journal.erase()
    adjust { $0.forget(user.row) }
  }

  /// Returns the identifiers of an app's regions, in order of registration.
  public func registeredIdentifiers(of app: AppID, user: UInt32) -> [String] {
    registrations.users[user]?.regions.filter { $0.app == app }.map(\.identifier) ?? []
  }

  /// Returns the number of regions of all apps of a user.
  public func registrationCount(of user: UInt32) -> Int { registrations.users[user]?.regions.count ?? 0 }

  /// Returns the watch of a registered region; nil if it does not exist or does not work.
  public func watch(_ identifier: String, of app: AppID, user: UInt32) -> RegionWatch? {
    registrations.users[user]?.owner(of: app).flatMap { watch(identifier, of: $0) }
  }

  /// Returns the user and app that a registered region belongs to; nil for any other region.
  public func app(of owner: RegionOwner) -> (user: UInt32, app: AppID)? {
    guard let user = registrations.user(of: owner), let app = user.app(of: owner) else { return nil }
    return (user.number, app)
  }

  /// Returns the journal of a user's registered regions; nil for a user without any.
  public func journal(of user: UInt32) -> JournalService? { registered[user]?.journal }

  /// The counts of registered regions and their apps.
  public var registrationCounts: RegistrationCounts {
    let users = registrations.users.values
    let idle = registered.values.reduce(0) { $0 + ($1.isWatched ? 0 : $1.user?.regions.count ?? 0) }
    return RegistrationCounts(
      regions: users.reduce(0) { $0 + $1.regions.count }, apps: users.reduce(0) { $0 + $1.appCount }, idle: idle)
  }

  /// The registered regions of all apps, by user.
  public var registeredRegions: [PrivacyStatus.Registration] {
    registrations.users.values.sorted { $0.number < $1.number }.flatMap { user in
      user.regions.map { region in
        var registration = PrivacyStatus.Registration()
        registration.claim = consent.claim(of: Claimant(user: region.user, app: region.app, purpose: region.purpose))
        (registration.identifier, registration.time) = (region.identifier, region.time)
        registration.isIdle = registered[user.number]?.isWatched != true
        return registration
      }
    }
  }
}

/// A definition of a region as one line of JSON, with the same keys as on the bus.
///
/// It is the stored form of a region that outlives the daemon.
enum RegionJSON {
  /// Returns the JSON of a definition that makes a region, which has neither lists nor tables.
  static func text(_ nodes: [String: ConfigurationNode]) -> String {
    var record = Record()
    for (key, node) in nodes.sorted(by: { $0.key < $1.key }) { record.append(key, RecordValue(node.value)) }
    return record.json
  }

  static func nodes(_ json: String) throws(JSONError) -> [String: ConfigurationNode] {
    var nodes: [String: ConfigurationNode] = [:]
    for (key, value) in try Record(json: json).fields { nodes[key] = ConfigurationNode(.init(value)) }
    return nodes
  }
}

extension RecordValue {
  fileprivate init?(_ value: ConfigurationNode.Value) {
    switch value {
    case .text(let text): self = .text(text)
    case .integer(let integer): self = .integer(Int64(integer))
    // Nine decimals of a degree keep distinct coordinates distinct.
    case .number(let number): self = .quantity(number, decimals: 9)
    case .flag(let flag): self = .flag(flag)
    case .date, .list, .table: return nil
    }
  }
}

extension ConfigurationNode.Value {
  fileprivate init(_ value: RecordValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .count(let count): self = .integer(Int(clamping: count))
    case .integer(let integer): self = .integer(Int(integer))
    case .short(let short): self = .integer(Int(short))
    case .flag(let flag): self = .flag(flag)
    case .quantity(let number, _): self = .number(number)
    case .time(let time): self = .text(time.rfc3339)
    case .record: self = .table([:])
    case .list: self = .list([])
    }
  }
}
