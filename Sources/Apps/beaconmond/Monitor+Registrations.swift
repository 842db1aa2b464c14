import Consent
import ConsentService
import Events
import Instants
import Logging
import MonitorService
import MonitorConfiguration
import Proximity
import Regions

// MARK: Watching registered regions

extension Monitor {
  /// Watches the regions of the users who allow it at any time, and no regions of others.
  func updateRegistrations() {
    for user in registrations.users.values {
      let isAllowed = consent.verdict(forUser: user.number).authorization.covers(.always)
      guard isAllowed != user.isActive else { continue }
      if isAllowed { resume(user) } else { pause(user) }
    }
  }

  /// Resumes a user's regions as after a restart: a visitor who stayed causes no second enter event.
  private func resume(_ user: RegisteringUser) {
    user.isActive = true
    user.journal.onChange = { [unowned self, unowned user] in
      guard user.journal.isDurable, isClockKnown, user.isActive else { return }
      if !user.hasRestored { restoreLate(user) }
      save(user)
    }
    begin { engine in
      engine.setLastSequence(user.journal.lastSequence, of: user.row)
      for region in user.regions { watch(region, of: user, in: &engine) }
    }
    if isClockKnown { restore(user, at: driver.engine.now) }
  }

  /// Stops watching a user's regions, and drops events that were not delivered yet.
  private func pause(_ user: RegisteringUser) {
    save(user)
    user.isActive = false
    adjust { engine in
      for region in user.regions { if let owner = user.owner(of: region.app) { engine.remove([region.identifier], of: owner) } }
    }
  }

  /// Watches a region, and replaces one of the same identifier without an event.
  func watch(_ registration: Registration, of user: RegisteringUser, in engine: inout ProximityEngine) {
    guard let owner = user.owner(of: registration.app) else { return }
    do {
      engine.add(try region(RegionDefinition.nodes(json: registration.definition), of: owner), at: engine.now)
    } catch let error as RegionRefusal {
      log.warning("\(registration.app) of user \(user.number): its region \"\(registration.identifier)\" means nothing: \(error.reason)")
    } catch {
      log.warning("\(registration.app) of user \(user.number): its region \"\(registration.identifier)\" is damaged: \(error)")
    }
  }
}

// MARK: Persistence

extension Monitor {
  /// Stores the events at registered regions in the users' journals before they are sent, and returns them by user.
  func keepRegistered(_ events: [RegionEvent]) -> [UInt16: ArraySlice<Event>] {
    var kept: [UInt16: ArraySlice<Event>] = [:]
    for row in Set(events.map(\.transition.region.owner.row)) {
      guard let index = row.user, let user = registrations.user(of: row) else { continue }
      kept[index] = keep(events.filter { $0.transition.region.owner.row == row }, of: user)[...]
    }
    return kept
  }

  private func keep(_ events: [RegionEvent], of user: RegisteringUser) -> [Event] {
    let touched = Set(
      events.map { event in
        user.regions.firstIndex {
          $0.identifier == event.transition.region.identifier && user.owner(of: $0.app) == event.transition.region.owner
        }
      })
    let states = touched.compactMap(\.self).compactMap { saved(user.regions[$0], of: user) }
    let told = events.map { event in
      var details = details(of: event)
      details.appID = user.app(of: event.transition.region.owner)?.description
      return details
    }
    return user.journal.commit(told, states, at: wallClock(driver.engine.now))
  }

  /// Saves the states of all of a user's regions, if they are watched.
  func save(_ user: RegisteringUser) {
    guard isClockKnown, user.isActive else { return }
    user.journal.save(user.regions.compactMap { saved($0, of: user) }, at: wallClock(driver.engine.now))
  }

  func restore(_ user: RegisteringUser, at time: Instant) {
    restore(user.journal.savedRegions(at: wallClock(time)), of: user, at: time)
  }

  /// Restores the states of a user's regions when a file that failed at first can be opened.
  private func restoreLate(_ user: RegisteringUser) {
    let saved = user.journal.savedRegions(at: wallClock(sightings.now))
    letTimePass()
    restore(saved, of: user, at: driver.engine.now)
  }

  /// Restores only regions whose state is still unknown.
  private func restore(_ saved: (regions: [SavedRegion], outage: Span?)?, of user: RegisteringUser, at time: Instant) {
    user.hasRestored = user.journal.isDurable
    guard let (saved, outage) = saved else { return }
    let wallTime = wallClock(time)
    let unknown = user.regions.filter { region in user.owner(of: region.app).map { isUnknown(region.identifier, of: $0) } ?? false }
    adjust { engine in
      for region in unknown {
        guard let owner = user.owner(of: region.app), var state = saved.first(where: { $0.identifier == region.savedName }) else {
          continue
        }
        state.identifier = region.identifier
        engine.restore([state], of: owner, after: outage, at: time) { time + ($0 - wallTime) }
      }
    }
  }

  private func saved(_ region: Registration, of user: RegisteringUser) -> SavedRegion? {
    guard let owner = user.owner(of: region.app) else { return nil }
    var saved = driver.engine.saved(region.identifier, of: owner, wallClock: wallClock)
    saved?.identifier = region.savedName
    return saved
  }
}
