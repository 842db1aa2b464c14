import Beacons
import Instants

/// A beacon of the range screen: its latest values and those of the last minute.
struct BeaconHistory: Hashable, Sendable {
  /// The length of the histories: one value a snapshot, and one snapshot a second.
  static let seconds = 60

  let id: String
  private(set) var report: BeaconReport
  private(set) var reception = BeaconReception()
  /// The filtered RSSI in dBm of each second.
  private(set) var levels: [Double?] = Array(repeating: nil, count: seconds)
  /// The distance in metres of each second.
  private(set) var distances: [Double?] = Array(repeating: nil, count: seconds)
  private(set) var isHeard = true
  /// The last proximity that was known.
  private var knownProximity: BeaconProximity?

  init(_ id: String, _ report: BeaconReport) {
    (self.id, self.report) = (id, report)
  }

  /// Returns the identity of a beacon as a text.
  static func id(of beacon: BeaconReport) -> String {
    let numbers = [beacon.major, beacon.minor].map { number in number.map { String($0) } ?? "?" }
    return ([beacon.uuid?.description ?? "?"] + numbers).joined(separator: "/")
  }

  /// Takes the values of a second, and returns whether the proximity differs from the last known one.
  mutating func take(_ report: BeaconReport, _ reception: BeaconReception) -> Bool {
    (self.report, isHeard) = (report, true)
    if reception.interval != nil { self.reception = reception }
    append(report.rssi, report.distance)
    guard let proximity = report.proximity, proximity != .unknown else { return false }
    defer { knownProximity = proximity }
    return knownProximity.map { $0 != proximity } ?? false
  }

  /// Takes a second in which the beacon is not in range any more.
  mutating func miss() {
    isHeard = false
    (report.proximity, report.distance, report.accuracy, report.rssi, report.rate) = (.unknown, nil, nil, nil, nil)
    append(nil, nil)
  }

  /// Whether the beacon has not been in range for a minute.
  var isForgotten: Bool { !isHeard && levels.allSatisfy { $0 == nil } }

  private mutating func append(_ level: Double?, _ distance: Double?) {
    levels.removeFirst()
    levels.append(level)
    distances.removeFirst()
    distances.append(distance)
  }
}
