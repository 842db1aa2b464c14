public import BeaconAdvertising
import Beacons
import Instants
public import SignalCalibration
public import Venues

extension WalkTruth {
  /// The time over which the packets of a beacon are one sample: on a walk, the place changes after it.
  private static let window = Span.seconds(2)

  private struct Key: Hashable {
    let beacon: BeaconIdentity
    let adapter: UInt16
    let window: Int64
  }

  /// Returns the signals of a walk with the true distances; sightings without a position or outside the walk are ignored.
  ///
  /// Throws if a position belongs to several beacons that were heard.
  public func samples(of sightings: [Sighting], _ positions: BeaconPositions) throws(PositionTableError) -> [SignalSample] {
    var owners: [Int: BeaconIdentity] = [:]
    var groups: [Key: (first: Sighting, rssi: Double, distance: Double, packets: Int)] = [:]
    for sighting in sightings where sighting.time >= start && sighting.time <= end {
      guard let rssi = sighting.rssi, let entry = positions.index(of: sighting.beacon) else { continue }
      guard (owners[entry] ?? sighting.beacon) == sighting.beacon else {
        throw PositionTableError(
          line: nil, "the position of minor \(sighting.beacon.minor) fits several beacons of the capture; add the columns uuid and major")
      }
      owners[entry] = sighting.beacon
      let number = (sighting.time - start).microseconds / Self.window.microseconds
      let key = Key(beacon: sighting.beacon, adapter: sighting.adapter, window: number)
      var group = groups[key] ?? (sighting, 0, 0, 0)
      group.rssi += Double(rssi)
      group.distance += position(at: sighting.time).distance(to: positions.entries[entry].position)
      group.packets += 1
      groups[key] = group
    }
    return groups.sorted { ($0.key.window, $0.key.beacon, $0.key.adapter) < ($1.key.window, $1.key.beacon, $1.key.adapter) }.map {
      _, group in
      let count = Double(group.packets)
      return SignalSample(
        beacon: group.first.beacon, adapter: group.first.adapter, power: Double(group.first.measuredPower),
        distance: group.distance / count, rssi: group.rssi / count, packets: group.packets)
    }
  }
}

extension SignalSample {
  /// Returns the signals of a receiver that stood still: a sample for each beacon and adapter.
  ///
  /// - Parameter distance: of every beacon, in metres.
  public static func samples(of sightings: [Sighting], at distance: Double) -> [SignalSample] {
    struct Key: Hashable {
      let beacon: BeaconIdentity
      let adapter: UInt16
    }
    let groups = Dictionary(grouping: sightings.filter { $0.rssi != nil }) { Key(beacon: $0.beacon, adapter: $0.adapter) }
    return groups.sorted { ($0.key.beacon, $0.key.adapter) < ($1.key.beacon, $1.key.adapter) }.map { key, heard in
      SignalSample(
        beacon: key.beacon, adapter: key.adapter, power: Double(heard[0].measuredPower), distance: distance,
        rssi: heard.reduce(0) { $0 + Double($1.rssi ?? 0) } / Double(heard.count), packets: heard.count)
    }
  }
}
