public import BeaconAdvertising
public import Beacons
public import Instants
import RealModule
public import Scoring
public import Venues

/// A survey of beacons: sightings in, a report out.
///
/// The same sightings give the same report, from a radio and from a capture.
///
/// It takes bounded memory whatever is in range: beacons beyond `mostBeacons` count only as packets, except expected ones.
public struct Survey {
  /// The maximum number of beacons that no list expects.
  public static let mostBeacons = 1024
  /// The distances in metres at which beacons can be passed.
  public static let passingDistances = 0.25...20.0

  public let expected: ExpectedBeacons?
  /// The venue in which the receiver stands at known places; nil without one.
  public let venue: Venue?
  /// The distance in metres at which the receiver passes each beacon; nil if it is unknown.
  public let passingDistance: Double?

  private(set) var logs: [BeaconIdentity: BeaconLog] = [:]
  private(set) var pauses = ReceptionPauses()
  private(set) var packets: [UInt16: UInt64] = [:]
  private(set) var period: ClosedRange<Instant>?
  private var unexpectedCount = 0
  let plan: SurveyPlan?
  /// The beacons that the venue plans.
  private let planned: Set<BeaconIdentity>
  private(set) var stations: [SurveyPlace: SurveyStation] = [:]
  /// The places in the order of their first packets.
  private(set) var order: [SurveyPlace] = []
  private static let mostPlaces = 2_000

  /// - Parameter languages: those of the names of places, the best one first.
  public init(
    expected: ExpectedBeacons? = nil, passingDistance: Double? = nil, venue: Venue? = nil, languages: [String] = []
  ) {
    (self.expected, self.passingDistance, self.venue) = (expected, passingDistance, venue)
    plan = venue.map { SurveyPlan($0, languages: languages) }
    planned = Set((venue?.beacons ?? []).map(\.identity))
  }

  /// Applies sightings in the order of their times.
  ///
  /// - Parameters:
  ///   - senders: the address of each sighting; a source without addresses has none.
  ///   - place: returns the place at which the receiver stands at a time; nil while it walks.
  ///   - offset: returns the offset in dB of an adapter, which suggested powers contain.
  public mutating func hear(
    _ sightings: [Sighting], from senders: [BluetoothAddress], at place: (Instant) -> SurveyPlace? = { _ in nil },
    offset: (UInt16) -> Double = { _ in 0 }
  ) {
    let unknown = BluetoothAddress(value: 0)
    for (index, sighting) in sightings.enumerated() {
      packets[sighting.adapter, default: 0] += 1
      period = min(sighting.time, period?.lowerBound ?? sighting.time)...max(sighting.time, period?.upperBound ?? sighting.time)
      pauses.hear(sighting.beacon, at: sighting.time)
      let sender = index < senders.count ? senders[index] : unknown
      if logs[sighting.beacon]?.hear(sighting, from: sender, offset: offset(sighting.adapter)) == nil {
        guard meets(sighting.beacon) else { continue }
        var log = BeaconLog(sighting)
        log.hear(sighting, from: sender, offset: offset(sighting.adapter))
        logs[sighting.beacon] = log
      }
      if planned.contains(sighting.beacon), let place = place(sighting.time) { stand(at: place, sighting) }
    }
  }

  private mutating func stand(at place: SurveyPlace, _ sighting: Sighting) {
    guard let rssi = sighting.rssi else { return }
    let key = SurveyStation.Key(beacon: sighting.beacon, adapter: sighting.adapter)
    if stations[place]?.hear(rssi, power: sighting.measuredPower, key, at: sighting.time) == nil {
      guard order.count < Self.mostPlaces else { return }
      var station = SurveyStation(place, at: sighting.time)
      station.hear(rssi, power: sighting.measuredPower, key, at: sighting.time)
      stations[place] = station
      order.append(place)
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

/// The silences of all beacons together, while the receiver did not receive or interference hid every beacon.
///
/// A few beacons can fall silent together by chance or behind a body, so their silence does not count.
///
/// Packets that come at random with a rate of r leave a gap of `gapFactor` / r once in e^`gapFactor` packets.
struct ReceptionPauses {
  private static let gapFactor = 14.0
  private static let shortest = Span.seconds(1)
  /// The time of the recent rate.
  private static let window = Span.seconds(5)
  /// The recent packets per second below which a silence does not count.
  private static let leastRate = 4.0
  /// The number of recent beacons below which a silence does not count.
  private static let leastBeacons = 3
  /// The longest time that counts of one pause. A longer silence is the end of a walk, or a suspended machine.
  private static let longest = Span.seconds(30)

  private(set) var count: UInt64 = 0
  private(set) var seconds = 0.0
  private var last: Instant?
  private var windowStart = Instant(microseconds: .min)
  private var windowCount = 0
  private var rate = 0.0
  /// The beacons of the window, at most `leastBeacons`, and whether there were enough in the one before.
  private var beacons: Set<BeaconIdentity> = []
  private var hasEnough = false

  mutating func hear(_ beacon: BeaconIdentity, at time: Instant) {
    defer { last = max(time, last ?? time) }
    guard let last else { return windowStart = time }
    let gap = time - last
    if hasEnough, rate >= Self.leastRate, gap > max(Self.shortest, .seconds(Self.gapFactor / rate)) {
      count += 1
      seconds += min(gap, Self.longest).seconds
    }
    windowCount += 1
    if beacons.count < Self.leastBeacons { beacons.insert(beacon) }
    let length = time - windowStart
    guard length >= Self.window else { return }
    rate = Double(windowCount) / length.seconds
    hasEnough = beacons.count == Self.leastBeacons
    (windowStart, windowCount, beacons) = (time, 0, [])
  }
}
