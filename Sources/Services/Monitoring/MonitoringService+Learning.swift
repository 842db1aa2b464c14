import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
import Logging
import Proximity
import Ranging
import Records
import Status
import Venues

// MARK: Receivers and beacons at venues

extension MonitoringService {
  /// Follows the device through the venues of the catalogue, with what was learned about the adapters that are known by now.
  func followVenues() {
    if !catalogue.isEmpty { learned.load() }
    noteLearned()
    driver.replaceVenues(
      with: catalogue.venues, receiver: receiver, learned: learned.byNumber(source.roster, driver.engine.settings.ranging),
      placements: learned.placements)
    for (venue, problem) in (driver.tracker?.problems ?? [:]).sorted(by: { $0.key < $1.key }) {
      log.warning("venue \"\(venue)\" has no indoor position: \(problem)")
    }
    demandChanged()
  }

  func noteLearned() {
    guard let tracker = driver.tracker else { return }
    learned.update(
      tracker.learned, source.roster, driver.engine.settings.ranging, at: isClockKnown ? wallClock(driver.engine.now) : nil)
    learned.update(tracker.placements)
  }

  /// Forgets what was learned at a venue, nil for all, about an adapter, nil for all, and returns the number of receivers.
  ///
  /// It applies at once: the adapter counts as unknown again, and the position continues with later sightings.
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
    if venue == nil, adapter == nil { forgetBeacons() }
    log.notice("the learned offsets of \(Count.text(count, "receiver")) at venues are forgotten")
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
        entry.offset = driver.tracker?.level(of: receiver.radio, isCalibrated: receiver.level.isCalibrated, in: venue.id)
        (entry.beacons, entry.seconds) = (UInt64(receiver.radio.transmitters.count), UInt64(max(0, receiver.radio.seconds)))
        entry.note = levelNote(receiver)
        suggest(receiver, in: &entry)
        return entry
      }
      return report
    }
  }

  /// Returns what is wrong with the configured offset of a receiver; nil while it fits.
  private func levelNote(_ receiver: LearnedReceiver) -> String? {
    guard receiver.level.isCalibrated, receiver.radio.isDistrusted else { return nil }
    let level =
      receiver.radio.seconds >= RadioLearner.secondsForRanging
      ? driver.tracker?.level(of: receiver.radio, isCalibrated: true, in: receiver.venue).map { Int($0.rounded()) } : nil
    let difference = level.map { ": the adapter receives beacons about \(abs($0)) dB \($0 < 0 ? "weaker" : "louder") than it says" } ?? ""
    return
      "the rssi-offset of \(receiver.adapter) does not fit venue \"\(receiver.venue)\"\(difference); "
      + "its signal level is learned there; remove the rssi-offset, or measure it with beaconmon calibrate"
  }

  /// Logs each receiver whose configured offset does not fit once.
  private func noteDistrusted() {
    for receiver in learned.all {
      guard let note = levelNote(receiver), receiver.radio.seconds >= RadioLearner.secondsForRanging,
        loggedReceivers.insert([receiver.venue, receiver.adapter]).inserted
      else { continue }
      log.warning("\(note)")
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

  /// Continues with the stored offsets of adapters that have just appeared, or of a file that could be read only now.
  func applyLearned() {
    guard driver.tracker != nil else { return }
    if learned.load() { driver.learn(learned.placements) }
    for stored in learned.takeMissing(source.roster, driver.engine.settings.ranging) {
      driver.learn(stored.radio, adapter: stored.adapter, in: stored.venue)
    }
  }

  func saveLearned() {
    noteLearned()
    applyLearned()
    noteMisplaced()
    noteDistrusted()
    learned.save()
    followBeacons()
  }
}
