import Beacons
import FleetMessages
import Instants

/// Collects the beacons of ranging snapshots for the next digest.
public struct DigestCollector {
  /// The largest number of beacons in a digest, in all its messages. Further ones are left out.
  public static let mostBeacons = 1000

  private struct Reception {
    let level: Double
    let distance: Double?
    let rate: Double
    let time: Instant
  }

  private var heard: [BeaconIdentity: Reception] = [:]
  /// The end of the digest before.
  private var end: Instant

  public init(at now: Instant) {
    end = now
  }

  public var isEmpty: Bool { heard.isEmpty }

  /// Takes the beacons of a snapshot that were received since the digest before.
  ///
  /// - Parameter time: the time of the snapshot, by the clock of `lastSeen`. That of a played capture is not the clock of this machine.
  public mutating func take(_ reports: [BeaconReport], of time: Instant, at now: Instant) {
    for report in reports {
      guard let uuid = report.uuid, let major = report.major, let minor = report.minor, let level = report.rssi,
        let lastSeen = report.lastSeen
      else { continue }
      let reception = Reception(
        level: level, distance: report.distance, rate: report.rate ?? 0, time: now - max(.zero, time - lastSeen))
      let beacon = BeaconIdentity(uuid: uuid, major: major, minor: minor)
      guard reception.time > end, heard[beacon] != nil || heard.count < Self.mostBeacons else { continue }
      heard[beacon] = reception
    }
  }

  /// Ends a digest, and returns its messages; none if no beacon was received.
  public mutating func close(at now: Instant) -> [[FleetSighting]] {
    let sightings = heard.sorted { $0.key < $1.key }.map { beacon, reception in
      FleetSighting(
        beacon: beacon, level: Self.whole(reception.level, -128...20), distance: reception.distance.map { Self.whole($0 * 100, 0...1e6) },
        rate: Self.whole(reception.rate * 10, 0...65_535), age: Self.whole((now - reception.time).seconds * 1000, 0...65_535))
    }
    (heard, end) = ([:], now)
    return stride(from: 0, to: sightings.count, by: FleetMessage.maximumSightings).map { start in
      Array(sightings[start..<min(start + FleetMessage.maximumSightings, sightings.count)])
    }
  }

  private static func whole(_ value: Double, _ limits: ClosedRange<Double>) -> Int {
    value.isNaN ? Int(limits.lowerBound) : Int(min(max(value, limits.lowerBound), limits.upperBound).rounded())
  }
}
