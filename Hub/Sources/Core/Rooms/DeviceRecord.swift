import Beacons
import FleetMessages

/// A device as the filter knows it: where it hangs, and how often it reports.
struct DeviceRecord: Sendable {
  var device: SiteDevice
  /// The index of its room.
  var room: Int32
  /// The time of its last digest in µs; nil if it has sent none.
  var heard: Int64?
  /// The usual time between its digests in seconds.
  var interval: Float = 2

  /// The level of the weakest beacon in its last digest if that was full, so that it may have left out weaker ones.
  var weakest = RoomReadings.sensitivity

  /// The dB by which the device hears louder than others, until the learned levels contain it.
  var shift: Float = 0
  /// The loudest beacons so far; nil as soon as the learned levels contain the shift.
  var loudest: LoudestBeacons? = LoudestBeacons()

  init(device: SiteDevice, room: Int32) {
    (self.device, self.room) = (device, room)
  }

  mutating func reports(at time: Int64) {
    defer { heard = Swift.max(time, heard ?? time) }
    guard let heard, time > heard else { return }
    let gap = Float(time - heard) / 1e6
    // A longer gap is an outage, not an interval.
    if gap < 15 { interval += 0.2 * (gap - interval) }
  }

  mutating func lists(_ sightings: [FleetSighting]) {
    let isFull = sightings.count >= FleetMessage.maximumSightings
    weakest = isFull ? sightings.map { Float($0.level) }.min() ?? RoomReadings.sensitivity : RoomReadings.sensitivity
  }

  /// The time in seconds for which a level is current without another reading: two digests, of which one may be late.
  var grace: Float { 1 + 2 * interval }

  /// Whether the device has sent no digest for so long that its silence on a beacon means nothing.
  func isSilent(at time: Int64) -> Bool {
    guard let heard else { return true }
    return Float(time - heard) / 1e6 > grace + interval
  }
}

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
