import Events
import Instants
import Proximity
import Regions

// MARK: Saving and restoring the states of regions

extension MonitoringService {
  /// The interval for saving facts that only sightings change, such as when a beacon was last received.
  /// After a crash they may be as old as this. It is well below `ProximityEngine.longestOutage`.
  static let saveInterval = Span.seconds(300)

  /// Saves the states of all regions that are watched.
  func saveAll() {
    saveLearned()
    lastSaved = driver.engine.now
    for regions in journaled { save(regions) }
  }

  func save(_ regions: JournaledRegions) {
    guard isClockKnown, regions.isWatched else { return }
    let engine = driver.engine
    regions.journal.save(regions.members(in: engine).compactMap(saved), at: wallClock(engine.now))
  }

  /// Returns the state of a region under its name in the journal; nil if the engine does not watch it.
  func saved(_ member: JournaledRegions.Member) -> SavedRegion? {
    var saved = driver.engine.saved(member.identifier, of: member.owner, wallClock: wallClock)
    saved?.identifier = member.savedName
    return saved
  }

  /// Restores the states of all regions that are watched, when the source's clock is known.
  func restoreAll(at time: Instant) {
    lastSaved = time
    for regions in journaled where regions.isWatched { restore(regions, at: time) }
  }

  func restore(_ regions: JournaledRegions, at time: Instant) {
    restore(regions.journal.savedRegions(at: wallClock(time)), to: regions, at: time)
  }

  /// Follows a journal that has become durable, and saves the present states.
  ///
  /// If the file failed at first, it restores the states in it before.
  func journalChanged(_ regions: JournaledRegions) {
    guard regions.journal.isDurable, isClockKnown, regions.isWatched else { return }
    if !regions.hasRestored {
      let saved = regions.journal.savedRegions(at: wallClock(source.now))
      letTimePass()
      restore(saved, to: regions, at: driver.engine.now)
    }
    save(regions)
  }

  /// Restores only regions whose state is still unknown.
  private func restore(_ saved: (regions: [SavedRegion], outage: Span?)?, to regions: JournaledRegions, at time: Instant) {
    regions.hasRestored = regions.journal.isDurable
    guard let (saved, outage) = saved, !saved.isEmpty else { return }
    let wallTime = wallClock(time)
    let states = Dictionary(saved.map { ($0.identifier, $0) }) { first, _ in first }
    // The engine takes the regions of one owner at a time.
    var batches: [(owner: RegionOwner, states: [SavedRegion])] = []
    for member in regions.members(in: driver.engine) {
      guard var state = states[member.savedName], self.saved(member)?.remembered == .unknown else { continue }
      state.identifier = member.identifier
      if batches.last?.owner != member.owner { batches.append((member.owner, [])) }
      batches[batches.count - 1].states.append(state)
    }
    driver.adjust { engine in
      for (owner, states) in batches {
        engine.restore(states, of: owner, after: outage, at: time) { time + ($0 - wallTime) }
      }
    }
    demandChanged()
  }
}
