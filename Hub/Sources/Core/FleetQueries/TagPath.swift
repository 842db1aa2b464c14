public import Beacons
import FleetMessages
import Instants
import Records

/// The devices that heard a tag in each minute of an hour, from raw digests.
public struct TagPath {
  /// The maximum number of devices of a minute: the loudest ones.
  static let mostDevices = 8
  /// The longest time that one answer covers, in milliseconds.
  public static let span: Int64 = 3_600_000

  private struct Hearing {
    var sum = 0
    var digests = 0
    var level: Double { Double(sum) / Double(digests) }
  }

  public let tag: BeaconIdentity
  /// Whether digests before the oldest ones were left out. The row of the oldest minute shows it.
  public var isTruncated = false
  private var minutes: [Int64: [String: Hearing]] = [:]

  public init(of tag: BeaconIdentity) { self.tag = tag }

  /// The octets that a digest has if it has the tag, written in the shortest form, as devices write it.
  public var pattern: [UInt8] {
    var octets: [UInt8] = [0x50]
    for word in [tag.uuid.high, tag.uuid.low] { withUnsafeBytes(of: word.bigEndian) { octets += $0 } }
    for number in [tag.major, tag.minor] {
      switch number {
      case ..<24: octets.append(UInt8(number))
      case ..<256: octets += [0x18, UInt8(number)]
      default: octets += [0x19, UInt8(number >> 8), UInt8(number & 0xFF)]
      }
    }
    return octets
  }

  /// Adds a digest of a device. Ignores one that cannot be read.
  ///
  /// - Parameter end: the end of the digest in milliseconds since 1970
  public mutating func add(_ digest: [UInt8], of device: String, end: Int64) {
    guard let message = try? FleetMessage(digest), case .digest(let sightings) = message.body,
      let sighting = sightings.first(where: { $0.beacon == tag })
    else { return }
    let minute = (end - Int64(sighting.age)) / 60_000
    minutes[minute, default: [:]][device, default: Hearing()].sum += sighting.level
    minutes[minute, default: [:]][device, default: Hearing()].digests += 1
  }

  /// The minutes in which a device heard the tag, the newest first, as JSON objects.
  public var rows: [String] {
    let oldest = minutes.keys.min()
    return minutes.sorted { $0.key > $1.key }.map { minute, devices in
      let loudest = devices.sorted { ($1.value.level, $0.key) < ($0.value.level, $1.key) }.prefix(Self.mostDevices)
      var record = Record([
        "time": .time(Instant(microseconds: minute * 60_000_000)),
        "devices": .list(
          loudest.map { device, hearing in
            Record(["device": .text(device), "level": .rssi(hearing.level), "digests": .integer(Int64(hearing.digests))])
          }),
      ])
      if isTruncated, minute == oldest { record.append("truncated", .flag(true)) }
      return record.json
    }
  }
}
