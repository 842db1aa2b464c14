import Beacons
public import Records

extension SignalCalibration {
  /// The values of `beaconmon calibrate --json`. A value that was not determined is absent.
  ///
  /// - Parameter adapter: returns the name of an adapter.
  public func record(adapter: (UInt16) -> String?) -> Record {
    func decibels(_ value: Double) -> RecordValue { .quantity(value, decimals: 2) }
    func estimate(_ estimate: Estimate) -> RecordValue {
      .record(Record(["value": .quantity(estimate.value, decimals: 3), "deviation": .quantity(estimate.deviation, decimals: 3)]))
    }
    return Record([
      "pathLossExponent": exponent.map(estimate),
      "adapters": .list(
        adapters.sorted { $0.key < $1.key }.map { number, offset in
          Record(["adapter": .text(adapter(number) ?? "\(number)"), "rssiOffset": estimate(offset)])
        }),
      "beacons": .list(
        beacons.map { beacon in
          Record([
            "uuid": .text("\(beacon.identity.uuid)"), "major": .short(beacon.identity.major), "minor": .short(beacon.identity.minor),
            "rssiOffset": estimate(beacon.offset), "power": estimate(beacon.power), "packets": .count(UInt64(beacon.packets)),
            "nearest": .metres(beacon.distances.lowerBound), "farthest": .metres(beacon.distances.upperBound),
          ])
        }),
      "fading": decibels(fading),
      "residuals": .list(
        residuals.map {
          Record([
            "from": .metres($0.distances.lowerBound), "to": .metres($0.distances.upperBound), "mean": decibels($0.mean),
            "spread": decibels($0.spread), "samples": .count(UInt64($0.samples)),
          ])
        }),
      "refused": .count(UInt64(refused)),
    ])
  }
}
