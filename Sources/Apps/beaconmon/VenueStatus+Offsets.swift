import Beacons
import SignalCalibration
import Status

extension VenueStatus {
  /// The suggested offsets of the receivers, by their places in `receivers`, and of the beacons.
  ///
  /// The offset of a beacon is the mean of those that the receivers have learned, weighted by their variances.
  var suggestedOffsets: CalibrationOffsets {
    var offsets = CalibrationOffsets()
    var sums: [BeaconIdentity: (offset: Double, weight: Double)] = [:]
    for (number, receiver) in (receivers ?? []).enumerated() {
      offsets.adapters[UInt16(clamping: number)] = receiver.suggestedOffset
      for beacon in receiver.suggestedBeacons ?? [] {
        guard let identity = beacon.identity, let offset = beacon.rssiOffset else { continue }
        let deviation = max(0.1, beacon.rssiOffsetAccuracy ?? 1)
        let (sum, weight) = (sums[identity] ?? (0, 0), 1 / (deviation * deviation))
        sums[identity] = (sum.offset + offset * weight, sum.weight + weight)
      }
    }
    offsets.beacons = sums.mapValues { $0.offset / $0.weight }
    return offsets
  }
}

extension [VenueStatus] {
  /// The reason for which there is nothing to accept.
  var reasonForNoSuggestion: String {
    let receivers = flatMap { $0.receivers ?? [] }
    if let missing = receivers.compactMap(\.missingSeconds).min() {
      return "the learned offsets are not certain yet: walk through the venue for \(missing) s more, and try again"
    }
    if receivers.contains(where: { $0.refused != nil }) {
      return "the learned offsets were refused and have not changed since; \"beaconmon venue reset\" starts again"
    }
    return receivers.isEmpty
      ? "no receiver has learned anything yet; walk through the venue for two minutes while \"beaconmon where --follow\" shows the position"
      : "the config has the learned offsets already"
  }
}
