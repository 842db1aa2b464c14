import Beacons
import FleetMessages

/// The levels of a tag during a walk through one room, which grow digest by digest.
///
/// A walk has parts if it was not sufficient at first and the installer walked on. The time between two parts, in which the installer stood
/// and waited, does not count.
public struct WalkLevels {
  private let tag: BeaconIdentity
  private let parts: [ClosedRange<Int64>]
  private let rooms: [Int32: String]
  private var listeners: [Int32: RoomSurvey.Listener] = [:]

  /// The maximum number of samples that are stored for a device: four a second during the longest walk.
  private static let mostTaken = 4 * RoomSurvey.longest

  /// The seconds of the walk that count.
  public var seconds: Int { Int(Self.length(of: parts) / 1000) }

  /// - Parameters:
  ///   - parts: The parts of the walk in their order, in milliseconds since 1970.
  ///   - devices: The devices of the site. Those that sent no digest during the walk are not listeners.
  public init(of tag: BeaconIdentity, during parts: [ClosedRange<Int64>], devices: [SiteDevice]) {
    (self.tag, self.parts) = (tag, parts)
    rooms = Dictionary(devices.map { ($0.id, $0.room) }) { first, _ in first }
  }

  /// Returns the milliseconds that count before a part, or in all parts.
  ///
  /// A later part has no settling time at its beginning: the survey has it once, before the first sample.
  private static func length(of parts: some Sequence<ClosedRange<Int64>>) -> Int64 {
    let settling = Int64(RoomSurvey.settlingTime) * 1000
    return parts.enumerated().reduce(0) { sum, part in
      let length = part.element.upperBound - part.element.lowerBound
      return sum + (part.offset == 0 ? length : Swift.max(0, length - settling))
    }
  }

  /// Takes the digest of a device, dated in milliseconds since 1970.
  public mutating func take(_ sightings: [FleetSighting], from device: Int32, at end: Int64) {
    guard let room = rooms[device] else { return }
    let sighting = sightings.first { $0.beacon == tag }
    // A full digest may have left out a weak tag, which is then not known to be silent.
    if sighting == nil && sightings.count >= FleetMessage.maximumSightings { return }
    guard let time = time(at: end - Int64(sighting?.age ?? 0)), time <= Int64(seconds) * 1000 else { return }
    var listener = listeners[device] ?? RoomSurvey.Listener(device: device, room: room)
    guard listener.samples.count < Self.mostTaken else { return }
    listener.samples.append(RoomSurvey.Sample(time: UInt16(clamping: time / 100), level: sighting.map { Int8(clamping: $0.level) }))
    listeners[device] = listener
  }

  /// Returns the milliseconds of the walk at a time; nil if it is in no part or within the settling time of one.
  private func time(at time: Int64) -> Int64? {
    let settling = Int64(RoomSurvey.settlingTime) * 1000
    guard let index = parts.firstIndex(where: { $0.contains(time) && time - $0.lowerBound >= settling }) else { return nil }
    let since = time - parts[index].lowerBound
    return index == 0 ? since : Self.length(of: parts[..<index]) + since - settling
  }

  /// Returns the survey of the walk, with as many samples as are stored.
  ///
  /// - Parameter doors: The rooms behind the doors of this one; empty if they are unknown.
  public func survey(of room: String, doors: [String]) -> RoomSurvey {
    let listeners = listeners.values.map { listener in
      var listener = listener
      listener.samples.sort { ($0.time, $0.level ?? .min) < ($1.time, $1.level ?? .min) }
      // One sample is enough for a device that never heard the tag.
      if !listener.isHearing { listener.samples = Array(listener.samples.prefix(1)) }
      return listener
    }
    return RoomSurvey(room: room, doors: doors, seconds: seconds, listeners: listeners.sorted { $0.device < $1.device }).limited
  }
}
