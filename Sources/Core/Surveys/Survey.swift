public import BeaconAdvertising
public import Beacons
import Instants
import RealModule
public import Scoring

/// A survey of beacons: sightings in, a report out.
///
/// The same sightings give the same report, from a radio and from a capture.
///
/// It takes bounded memory whatever is in the air: beacons beyond `mostBeacons` count only as packets, except expected ones.
public struct Survey {
  /// The most beacons that no list expects.
  public static let mostBeacons = 1024
  /// The distances in metres at which beacons can be passed.
  public static let passingDistances = 0.25...20.0

  public let expected: ExpectedBeacons?
  /// The distance in metres at which the receiver passes each beacon; nil if it is unknown.
  public let passingDistance: Double?

  private(set) var logs: [BeaconIdentity: BeaconLog] = [:]
  private(set) var pauses = ReceptionPauses()
  private(set) var packets: [UInt16: UInt64] = [:]
  private(set) var period: ClosedRange<Instant>?
  private var unexpectedCount = 0

  public init(expected: ExpectedBeacons? = nil, passingDistance: Double? = nil) {
    (self.expected, self.passingDistance) = (expected, passingDistance)
  }

  /// Applies sightings in the order of their times.
  ///
  /// - Parameters:
  ///   - senders: the address of each sighting; a source without addresses has none.
  ///   - offset: Returns the offset in dB of an adapter, which suggested powers contain.
  public mutating func hear(
    _ sightings: [Sighting], from senders: [BluetoothAddress], offset: (UInt16) -> Double = { _ in 0 }
  ) {
    let unknown = BluetoothAddress(value: 0)
    for (index, sighting) in sightings.enumerated() {
      packets[sighting.adapter, default: 0] += 1
      period = min(sighting.time, period?.lowerBound ?? sighting.time)...max(sighting.time, period?.upperBound ?? sighting.time)
      pauses.hear(at: sighting.time)
      let sender = index < senders.count ? senders[index] : unknown
      if logs[sighting.beacon]?.hear(sighting, from: sender, offset: offset(sighting.adapter)) == nil {
        guard meets(sighting.beacon) else { continue }
        var log = BeaconLog(sighting)
        log.hear(sighting, from: sender, offset: offset(sighting.adapter))
        logs[sighting.beacon] = log
      }
    }
  }

  /// Returns whether a new beacon is kept.
  private mutating func meets(_ beacon: BeaconIdentity) -> Bool {
    if let expected, expected.index(of: beacon).map({ expected.entries[$0].identity != nil }) ?? false { return true }
    guard unexpectedCount < Self.mostBeacons else { return false }
    unexpectedCount += 1
    return true
  }

  /// The time of the last sighting; nil before the first.
  public var time: Instant? { period?.upperBound }

  /// The RSSI of each beacon, for plots.
  public var signals: [BeaconIdentity: SurveySignals] { logs.mapValues { SurveySignals(course: $0.course, levels: $0.levels) } }
}

/// The RSSI of a beacon over a survey.
public struct SurveySignals: Sendable {
  /// dBm over time.
  public let course: TimeSeries
  /// The number of packets of each RSSI in dBm.
  public let levels: [Int8: UInt64]
}
