import BeaconAdvertising
import Beacons
import Instants
import Seeds
import Surveys

/// Beacons in the air as a survey hears them.
struct SurveyScene {
  static let uuid = BeaconUUID(high: 1, low: 2)
  /// 2020-09-13T12:26:40Z.
  static let start = Instant(microseconds: 1_600_000_000_000_000)

  private var heard: [(sighting: Sighting, sender: BluetoothAddress)] = []
  private var random = SeededGenerator(seed: 1)

  static func beacon(_ minor: UInt16, _ uuid: BeaconUUID = SurveyScene.uuid) -> BeaconIdentity {
    BeaconIdentity(uuid: uuid, major: 1, minor: minor)
  }

  /// Adds the advertisements of a device, with the random delay of the standard.
  ///
  /// - Parameters:
  ///   - sender: its address.
  ///   - interval: the mean interval in seconds.
  ///   - level: Returns the mean RSSI in dBm at a second; nil while the device is out of range.
  mutating func add(
    _ beacon: BeaconIdentity, sender: UInt64, interval: Double = 0.2, seconds: ClosedRange<Double> = 0...120, loss: Double = 0,
    power: Int8 = -59, adapter: UInt16 = 0, level: (Double) -> Double? = { _ in -65 }
  ) {
    var time = seconds.lowerBound + Double(sender % 7) * 0.013
    while time <= seconds.upperBound {
      defer { time += interval - 0.005 + 0.01 * Double.random(in: 0..<1, using: &random) }
      guard let mean = level(time), Double.random(in: 0..<1, using: &random) >= loss else { continue }
      let rssi = Int8(min(20, max(-127, (mean + 3 * random.normal()).rounded())))
      heard.append(
        (
          Sighting(beacon: beacon, measuredPower: power, rssi: rssi, adapter: adapter, time: Self.start + .seconds(time)),
          BluetoothAddress(value: sender)
        ))
    }
  }

  /// Returns the report of a survey of this scene, which hears it in pieces of some length.
  func report(_ survey: Survey = Survey(), piece: Int = .max) -> SurveyReport {
    var survey = survey
    var rest = heard.sorted { $0.sighting.time < $1.sighting.time }[...]
    while !rest.isEmpty {
      let part = rest.prefix(piece)
      rest = rest.dropFirst(piece)
      survey.hear(part.map(\.sighting), from: part.map(\.sender))
    }
    return survey.report(source: "test") { _ in nil }
  }
}

extension SurveyReport {
  func beacon(_ minor: UInt16) -> SurveyedBeacon? { beacons?.first { $0.minor == minor } }

  func kinds(_ minor: UInt16) -> [SurveyVerdict.Kind] { (beacon(minor)?.verdicts ?? []).compactMap(\.kind) }
}
