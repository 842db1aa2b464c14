import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
import Logging
import Proximity
import Status
import Venues

// MARK: Receivers and beacons at venues

extension MonitoringService {
  /// Follows the device through the venues of the catalogue, with what was learned about the adapters that are known by now.
  func followVenues() {
    if !catalogue.isEmpty { learned.load() }
    noteLearned()
    driver.replaceVenues(
      with: catalogue.venues, receiver: receiver, learned: learned.byNumber(source.roster), placements: learned.placements)
    for (venue, problem) in (driver.tracker?.problems ?? [:]).sorted(by: { $0.key < $1.key }) {
      log.warning("venue \"\(venue)\" has no indoor position: \(problem)")
    }
    demandChanged()
  }

  private func noteLearned() {
    guard let tracker = driver.tracker else { return }
    learned.update(tracker.learned, source.roster, at: isClockKnown ? wallClock(driver.engine.now) : nil)
    learned.update(tracker.placements)
  }

  /// Forgets what was learned at a venue, nil for all, about an adapter, nil for all, and returns the number of receivers.
  ///
  /// It applies at once: the adapter counts as unknown again, and the position goes on with what is heard from now on.
  public func resetLearning(venue: String?, adapter: String?) -> Int {
    letTimePass()
    noteLearned()
    let numbers = adapter.map { name in (0..<UInt16(AdapterRoster.most)).filter { source.roster.name(of: $0) == name } }
    if let numbers {
      for number in numbers { driver.resetLearning(in: venue, of: number) }
    } else {
      driver.resetLearning(in: venue)
    }
    let count = learned.remove(venue: venue, adapter: adapter)
    log.notice("the learned offsets of \(count) receiver\(count == 1 ? "" : "s") at venues are forgotten")
    return count
  }

  /// The venues, with what was learned about the receivers there.
  public var venueReports: [VenueStatus] {
    noteLearned()
    return catalogue.venues.map { venue in
      var report = VenueStatus()
      report.venue = venue.id
      report.note = driver.tracker?.problems[venue.id].map { "no indoor position: \($0)" } ?? placementNote(venue.id)
      report.receivers = learned.all.filter { $0.venue == venue.id }.map { receiver in
        var entry = VenueStatus.Receiver()
        (entry.adapter, entry.since) = (receiver.adapter, receiver.since)
        entry.offset = driver.tracker?.level(of: receiver.radio, in: venue.id)
        (entry.beacons, entry.seconds) = (UInt64(receiver.radio.transmitters.count), UInt64(max(0, receiver.radio.seconds)))
        return entry
      }
      return report
    }
  }

  /// Returns the beacons that seem not to hang where the plan says; nil if there are none.
  private func placementNote(_ venue: String) -> String? {
    let misplaced = driver.tracker?.misplaced(in: venue) ?? []
    guard !misplaced.isEmpty else { return nil }
    let beacons = misplaced.map { "\($0.beacon.major)/\($0.beacon.minor) (about \(Int($0.metres.rounded())) m away)" }.joined(
      separator: ", ")
    return
      "\(misplaced.count == 1 ? "a beacon seems" : "beacons seem") not to hang where the venue file says: \(beacons); compare it with the room"
  }

  /// Logs each beacon that seems misplaced once.
  private func noteMisplaced() {
    for venue in catalogue.venues {
      let found = Set((driver.tracker?.misplaced(in: venue.id) ?? []).map(\.beacon))
      if !found.isSubset(of: loggedBeacons), let note = placementNote(venue.id) { log.notice("venue \"\(venue.id)\": \(note)") }
      loggedBeacons.formUnion(found)
    }
  }

  /// Applies the learned offsets of an adapter that has just appeared, unless a position would be lost by it.
  func applyLearned() {
    guard let tracker = driver.tracker, !tracker.isAwake, learned.hasMore(than: tracker.learned, source.roster) else { return }
    followVenues()
  }

  func saveLearned() {
    noteLearned()
    noteMisplaced()
    learned.save()
  }
}
