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
  /// A beacon and its level. One from the database has no identity, so that nothing there names a beacon.
  struct Entry: Sendable {
    let beacon: BeaconIdentity?
    /// An octet of the identity, by which a restored entry is most likely that of the same beacon.
    let mark: UInt8
    let level: Float

    fileprivate func isOf(_ other: BeaconIdentity) -> Bool { beacon.map { $0 == other } ?? (mark == LoudestBeacons.mark(of: other)) }
  }

  /// The entries, the loudest first.
  private(set) var entries: [Entry] = []

  static let most = 3

  init(_ entries: [Entry] = []) {
    self.entries = entries.sorted { $0.level > $1.level }
  }

  /// The level of the quietest of them; nil before three beacons are known.
  var level: Float? { entries.count == Self.most ? entries[Self.most - 1].level : nil }

  mutating func take(_ beacon: BeaconIdentity, level: Float) {
    if entries.count == Self.most && level <= entries[Self.most - 1].level { return }
    if let index = entries.firstIndex(where: { $0.isOf(beacon) }) {
      guard level > entries[index].level else { return }
      entries.remove(at: index)
    }
    let index = entries.firstIndex { $0.level < level } ?? entries.count
    entries.insert(Entry(beacon: beacon, mark: Self.mark(of: beacon), level: level), at: index)
    if entries.count > Self.most { entries.removeLast() }
  }

  /// Returns an octet that all octets of an identity determine, the same in every process.
  private static func mark(of beacon: BeaconIdentity) -> UInt8 {
    let word = beacon.uuid.high ^ beacon.uuid.low ^ UInt64(beacon.major) << 16 ^ UInt64(beacon.minor)
    // A multiplicative hash: consecutive numbers have different marks.
    return UInt8(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }
}
