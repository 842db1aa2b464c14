import Beacons
import FleetMessages
import Instants
import Rooms

/// The room filter of a site, and what a batch has to write of it.
struct SiteRooms {
  /// The shortest time between two searches for beacons that left, in milliseconds.
  private static let expiryInterval: Int64 = 1000
  /// The shortest time between two writes of learned offsets, in milliseconds. A crash loses what was learned since.
  private static let offsetsInterval: Int64 = 60_000

  private var filter: RoomFilter
  private let isActive: Bool
  private var expireAt: Int64 = 0
  private var writeOffsetsAt: Int64

  /// Continues from the rows of a site. A state that is damaged, or of another version, begins anew.
  init(_ site: LoadedSite, now: Int64) {
    filter = RoomFilter(devices: site.devices)
    isActive = !site.devices.isEmpty
    writeOffsetsAt = now + Self.offsetsInterval
    if let offsets = site.offsets { try? filter.restore(offsets: offsets) }
    for (key, beacon) in site.beacons { restore(beacon.roomState, of: key.beacon) }
  }

  mutating func restore(_ octets: [UInt8]?, of beacon: BeaconIdentity) {
    guard isActive, let octets else { return }
    try? filter.restore(octets, of: beacon)
  }

  /// Takes a digest whose end is `time` in milliseconds since 1970.
  mutating func take(_ sightings: [FleetSighting], from device: Int32, at time: Int64) -> [RoomChange] {
    isActive ? filter.take(sightings, from: device, at: Instant(microseconds: time * 1000)) : []
  }

  /// Returns the changes of beacons that left, if it is time to search for them.
  mutating func expireIfDue(_ now: Int64) -> [RoomChange] {
    guard isActive, now >= expireAt else { return [] }
    expireAt = now + Self.expiryInterval
    return filter.expire(at: Instant(microseconds: now * 1000))
  }

  /// Returns the learned offsets if it is time to write them.
  mutating func offsetsIfDue(_ now: Int64) -> [UInt8]? {
    guard isActive, now >= writeOffsetsAt else { return nil }
    writeOffsetsAt = now + Self.offsetsInterval
    return filter.offsets
  }

  func row(_ state: BeaconState, of beacon: BeaconIdentity) -> BeaconRow {
    guard isActive else { return BeaconRow(state: state) }
    let place = filter.room(of: beacon)
    return BeaconRow(
      state: state, room: place?.room, roomSince: place.map { $0.since.microseconds / 1000 }, roomState: filter.octets(of: beacon))
  }
}

extension RoomChange {
  func row(of beacon: Int32) -> RoomChangeRow {
    RoomChangeRow(beacon: beacon, from: from, to: to, time: time.microseconds / 1000, reason: reason.json)
  }
}

extension RoomChange.Reason {
  /// The figures of the decision as JSON: levels in dBm, times in seconds.
  fileprivate var json: String {
    switch self {
    case .appeared(let level, let device): #"{"kind":"appeared","level":\#(Self.text(level)),"device":\#(device)}"#
    case .silent(let span): #"{"kind":"silent","seconds":\#(Self.text(Double(span.microseconds) / 1e6))}"#
    case .louder(let figures):
      #"{"kind":"louder","level":\#(Self.text(figures.level)),"device":\#(figures.device),"#
        + #""formerLevel":\#(figures.formerLevel.map(Self.text) ?? "null"),"formerDevice":\#(figures.formerDevice.map { "\($0)" } ?? "null"),"#
        + #""requiredLead":\#(Self.text(figures.requiredLead)),"held":\#(Self.text(Double(figures.held.microseconds) / 1e6)),"#
        + #""betweenFloors":\#(figures.isBetweenFloors),"formerDeviceSilent":\#(figures.isFormerDeviceSilent)}"#
    }
  }

  /// Returns a number with one decimal place.
  private static func text(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "null" }
    let tenths = Int64((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
