import Beacons
public import Failures
public import SignalCalibration
public import Status

/// The offsets that receivers have learned at one venue and suggest for the config.
public struct LearnedOffsets: Hashable, Sendable {
  /// The id of the venue.
  public let venue: String
  /// The offsets of the receivers, by their places in `receivers`, and of the beacons.
  ///
  /// The offset of a beacon is the mean of those that the receivers have learned, weighted by the inverse of their variances.
  public let offsets: CalibrationOffsets
  /// The addresses of the receivers, or other names that stay the same; nil without a name.
  public let receivers: [String?]
  /// The longest time in seconds of walking from which a receiver has learned something.
  public let seconds: UInt64
  /// Whether the venue has a single receiver, whose offset applies to the whole machine.
  public let isOnlyReceiver: Bool

  /// Selects the one venue whose receivers suggest offsets.
  ///
  /// Throws the reason if there is none or several.
  ///
  /// - Parameters:
  ///   - chosen: the venues with the receivers that the user has chosen.
  ///   - all: the venues with all their receivers.
  public init(of chosen: [VenueStatus], among all: [VenueStatus]) throws(Failure) {
    let suggesting = chosen.filter { ($0.receivers ?? []).contains { $0.suggestionCount > 0 } }
    guard let venue = suggesting.first else { throw Failure(.dataError, Self.reasonForNoSuggestion(chosen)) }
    guard suggesting.count == 1 else {
      let names = suggesting.compactMap(\.venue).joined(separator: ", ")
      throw Failure(.usage, "receivers suggest offsets at \(suggesting.count) venues; name one of them: \(names)")
    }
    let receivers = venue.receivers ?? []
    self.venue = venue.venue ?? ""
    offsets = Self.offsets(of: receivers)
    self.receivers = receivers.map(\.adapter)
    seconds = receivers.compactMap(\.seconds).max() ?? 0
    isOnlyReceiver = (all.first { $0.venue == venue.venue }?.receivers ?? []).count < 2
  }

  private static func offsets(of receivers: [VenueStatus.Receiver]) -> CalibrationOffsets {
    var offsets = CalibrationOffsets()
    var sums: [BeaconIdentity: (offset: Double, weight: Double)] = [:]
    for (number, receiver) in receivers.enumerated() {
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

  private static func reasonForNoSuggestion(_ venues: [VenueStatus]) -> String {
    let receivers = venues.flatMap { $0.receivers ?? [] }
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
