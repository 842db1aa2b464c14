import Beacons
import IndoorPositioning
import Logging
import Proximity
import Ranging
import Records
import Status

// MARK: Suggested offsets

/// An offset that would declare what a receiver has learned, with its standard deviation in dB.
private struct SuggestedOffset {
  let key: RefusedOffset.Key
  let offset, deviation: Double
}

extension MonitoringService {
  /// The dB by which an offset that was refused has to change before it is suggested again.
  private static let change = 2.0
  /// The minimum change in dB of the offset of a beacon that is worth a line in the config.
  private static let leastChange = 1.0

  /// Adds the offsets that would declare what a receiver has learned, if they are certain and not refused.
  func suggest(_ receiver: LearnedReceiver, in entry: inout VenueStatus.Receiver) {
    guard let (missing, offsets) = suggestions(receiver) else { return }
    guard missing == 0 else {
      entry.missingSeconds = UInt64(missing)
      return
    }
    let suggested = offsets.filter { !isRefused($0) }
    if offsets.count > suggested.count { entry.refused = UInt64(offsets.count - suggested.count) }
    if let own = suggested.first(where: { $0.key.beacon == nil }) {
      (entry.suggestedOffset, entry.suggestedOffsetAccuracy) = (own.offset, own.deviation)
    }
    let beacons = suggested.compactMap { suggestion -> VenueStatus.Beacon? in
      guard let identity = suggestion.key.beacon else { return nil }
      var beacon = VenueStatus.Beacon()
      (beacon.uuid, beacon.major, beacon.minor) = (identity.uuid, identity.major, identity.minor)
      (beacon.rssiOffset, beacon.rssiOffsetAccuracy) = (suggestion.offset, suggestion.deviation)
      return beacon
    }
    if !beacons.isEmpty { entry.suggestedBeacons = beacons }
  }

  /// Refuses the offsets that are suggested for a venue, nil for all, and an adapter, nil for all, and returns their number.
  ///
  /// They are suggested again when what is learned has changed. The position continues to use the learned offsets.
  public func refuseSuggestions(venue: String?, adapter: String?) -> Int {
    letTimePass()
    noteLearned()
    let chosen = learned.all.filter { (venue == nil || $0.venue == venue) && (adapter == nil || $0.adapter == adapter) }
    let suggested = chosen.flatMap { receiver -> [SuggestedOffset] in
      guard let (missing, offsets) = suggestions(receiver), missing == 0 else { return [] }
      return offsets.filter { !isRefused($0) }
    }
    learned.refuse(suggested.map { RefusedOffset($0.key, offset: $0.offset) })
    log.notice("\(Count.text(suggested.count, "suggested offset was", plural: "suggested offsets were")) refused")
    return suggested.count
  }

  private func isRefused(_ suggestion: SuggestedOffset) -> Bool {
    learned.refused[suggestion.key].map { abs($0 - suggestion.offset) < Self.change } ?? false
  }

  /// Returns the seconds of walking that are missing, and the offsets that differ from the configured ones.
  private func suggestions(_ receiver: LearnedReceiver) -> (missing: Int, offsets: [SuggestedOffset])? {
    let learned = driver.tracker?.declaration(
      of: receiver.radio, isCalibrated: receiver.level.isCalibrated, in: receiver.venue)
    guard let (declaration, beacons) = learned else { return nil }
    func key(_ beacon: BeaconIdentity? = nil) -> RefusedOffset.Key {
      .init(venue: receiver.venue, adapter: receiver.adapter, beacon: beacon)
    }
    var offsets: [SuggestedOffset] = []
    // A declared level that fits is not changed.
    if !receiver.level.isCalibrated || receiver.radio.isDistrusted {
      let level = declaration.level
      offsets.append(SuggestedOffset(key: key(), offset: receiver.level.offset + level.value, deviation: level.deviation))
    }
    let configured = driver.engine.settings.ranging.beaconOffsets
    for (beacon, change) in beacons where abs(change.value) >= max(Self.leastChange, change.deviation) {
      offsets.append(
        SuggestedOffset(key: key(beacon), offset: (configured[beacon] ?? 0) + change.value, deviation: change.deviation))
    }
    return (declaration.missingSeconds, offsets)
  }
}
