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
    // A longer gap is an outage and no interval.
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
