import Beacons

/// The loudest beacons that a device has heard, by which the filter first guesses how loud it hears.
///
/// Every device is passed closely by some beacon within an hour, whatever the shares of rooms and whichever rooms the filter assumes. The
/// third loudest counts, because one beacon may lie beside the device.
struct LoudestBeacons: Sendable {
  private var beacons: [(beacon: BeaconIdentity, level: Float)] = []

  private static let most = 3

  /// The level of the quietest of them; nil before three beacons are known.
  var level: Float? { beacons.count == Self.most ? beacons[Self.most - 1].level : nil }

  mutating func take(_ beacon: BeaconIdentity, level: Float) {
    if beacons.count == Self.most && level <= beacons[Self.most - 1].level { return }
    if let index = beacons.firstIndex(where: { $0.beacon == beacon }) {
      guard level > beacons[index].level else { return }
      beacons.remove(at: index)
    }
    let index = beacons.firstIndex { $0.level < level } ?? beacons.count
    beacons.insert((beacon, level), at: index)
    if beacons.count > Self.most { beacons.removeLast() }
  }
}
