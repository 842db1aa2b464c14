public import BeaconAdvertising
import Beacons
public import Surveys

extension SetupSurroundings {
  /// Adds the beacons of a recording, each with its strongest RSSI.
  public mutating func hear(_ sightings: [Sighting]) {
    hear(
      Dictionary(grouping: sightings, by: \.beacon).map { identity, sightings in
        Beacon(identity, rssi: sightings.compactMap(\.rssi).max().map(Double.init))
      })
  }

  /// Adds the beacons of a survey that are expected, or of which nothing is expected, with the offsets that it suggests.
  public mutating func hear(_ report: SurveyReport) {
    hear(
      (report.beacons ?? []).compactMap { beacon in
        guard let identity = beacon.identity, beacon.isAccepted else { return nil }
        return Beacon(identity, rssi: beacon.rssi?.median, name: beacon.name, offset: beacon.suggestedOffset)
      })
  }
}
