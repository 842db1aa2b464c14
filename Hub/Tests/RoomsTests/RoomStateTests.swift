import Beacons
import FleetMessages
import Instants
import Rooms
import Testing

struct RoomStateTests {
  private func moving() -> Site {
    var site = Site()
    site.hear([1: -60, 2: -75, 3: -85], seconds: 40)
    site.hear([1: -75, 2: -60, 3: -85], seconds: 10)
    return site
  }

  @Test func `a filter in another process continues with the octets`() throws {
    var site = moving()
    let octets = try #require(site.filter.octets(of: Site.tag))
    #expect(octets.count <= 145)
    var copy = site
    copy.filter = BeaconRoomFilter(devices: Site.devices)
    try copy.filter.restore(octets, of: Site.tag)
    try copy.filter.restore(offsets: site.filter.offsets)
    #expect(copy.filter.octets(of: Site.tag) == octets)
    for phase in 0..<10 {
      let levels: [Int32: Int] = phase % 2 == 0 ? [1: -60, 2: -75] : [1: -75, 2: -60]
      site.hear(levels, seconds: 40)
      copy.hear(levels, seconds: 40)
    }
    #expect(site.changes.count > 8)
    #expect(copy.changes.map(\.to) == site.changes.map(\.to))
  }

  @Test func `octets of the first version, which have no places, are read`() throws {
    let site = moving()
    let octets = try #require(site.filter.octets(of: Site.tag))
    let former = [1] + octets.dropFirst().dropLast(3 * 2 + 4)
    var copy = site
    copy.filter = BeaconRoomFilter(devices: Site.devices)
    try copy.filter.restore(former, of: Site.tag)
    #expect(copy.filter.room(of: Site.tag)?.room == site.filter.room(of: Site.tag)?.room)
    let count = copy.changes.count
    copy.hear([1: -60, 2: -75], seconds: 40)
    #expect(copy.filter.room(of: Site.tag)?.room == "hall" && copy.changes.count <= count + 1)
  }

  @Test func `damaged octets are refused or harmless, and change nothing if refused`() throws {
    let site = moving()
    let octets = try #require(site.filter.octets(of: Site.tag))
    for end in 0..<octets.count {
      var filter = site.filter
      #expect(throws: RoomStateError.self) { try filter.restore(Array(octets[..<end]), of: Site.tag) }
      #expect(filter.octets(of: Site.tag) == octets)
    }
    var refused = 0
    for offset in octets.indices {
      for flip: UInt8 in [0x01, 0x80, 0xFF] {
        var damaged = octets
        damaged[offset] ^= flip
        var copy = site
        do {
          try copy.filter.restore(damaged, of: Site.tag)
        } catch {
          refused += 1
        }
        copy.hear([1: -60, 2: -75], seconds: 3)
        copy.expire()
      }
    }
    #expect(refused > 10)
    var filter = site.filter
    #expect(throws: RoomStateError.wrongLength(octets.count + 1)) { try filter.restore(octets + [0], of: Site.tag) }
    #expect(throws: RoomStateError.unknownVersion(3)) { try filter.restore([3] + octets.dropFirst(), of: Site.tag) }
    #expect(throws: RoomStateError.wrongLength(4)) { try filter.restore(offsets: [1, 0, 0, 0]) }
    #expect(throws: RoomStateError.outOfRange(at: 9)) { try filter.restore(offsets: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0x7F, 0xFF, 0, 0, 0]) }
  }

  @Test func `a state of devices that the site no longer has is replaced by an empty one`() throws {
    let octets = try #require(moving().filter.octets(of: Site.tag))
    var filter = BeaconRoomFilter(devices: [SiteDevice(id: 9, room: "cellar")])
    try filter.restore(octets, of: Site.tag)
    #expect(filter.room(of: Site.tag) == nil)
    var changes: [RoomChange] = []
    for second in 51..<55 {
      let sighting = FleetSighting(beacon: Site.tag, level: -70, distance: nil, rate: 9, age: 0)
      changes += filter.take([sighting], from: 9, at: Instant(microseconds: Int64(second) * 1_000_000))
    }
    #expect(changes.map(\.to) == ["cellar"])
  }

  @Test func `a beacon in a room that gives way to a new one leaves its room`() {
    var settings = BeaconRoomFilterSettings()
    settings.mostBeacons = 2
    var filter = BeaconRoomFilter(devices: Site.devices, settings: settings)
    func hear(_ minors: ClosedRange<UInt16>, at second: Int64) -> [RoomChange] {
      let sightings = minors.map { minor in
        let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: minor)
        return FleetSighting(beacon: beacon, level: -60, distance: nil, rate: 50, age: 0)
      }
      return filter.take(sightings, from: 1, at: Instant(microseconds: second * 1_000_000))
    }
    var changes: [RoomChange] = []
    for second in 1...20 as ClosedRange<Int64> { changes += hear(1...2, at: second) }
    #expect(changes.map(\.to) == ["hall", "hall"])
    let dropped = hear(3...3, at: 21).filter { $0.to == nil }
    #expect(dropped.map(\.beacon.minor) == [1] && dropped.map(\.from) == ["hall"] && dropped.map(\.reason) == [.dropped])
    #expect(dropped.map(\.time) == [Instant(microseconds: 20_000_000)])
    #expect(dropped[0].explanation == "left hall: the room has no device any more, or the site has too many tags")
    #expect(hear(3...3, at: 22).allSatisfy { $0.to != nil })
  }
}

/// The first hour of a site, in which the filter guesses the offsets of its devices.
struct FirstHourTests {
  /// Three tags near device 2, which hears 10 dB louder than the others, and one beside it.
  private static let levels: [(minor: UInt16, levels: [Int32: Int])] = [
    (1, [1: -62, 2: -60]), (2, [1: -64, 2: -52]), (3, [1: -66, 2: -54]), (4, [2: -38]),
  ]

  private static func hear(_ site: inout Site, seconds: Int) {
    for (minor, levels) in levels {
      let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: minor)
      var part = site
      part.hear(levels, seconds: seconds, of: beacon)
      (site.filter, site.changes, site.second) = (part.filter, part.changes, part.second)
    }
  }

  private static func takeOver(_ site: inout Site, devices: [SiteDevice] = Site.devices) throws {
    let octets = site.filter.offsets
    site.filter = BeaconRoomFilter(devices: devices)
    try site.filter.restore(offsets: octets)
  }

  @Test func `a first hour that several processes share has the offsets of one, and ends with it`() throws {
    var (single, shared) = (Site(), Site())
    for minute in 1...59 {
      Self.hear(&single, seconds: 15)
      Self.hear(&shared, seconds: 15)
      if minute.isMultiple(of: 10) { try Self.takeOver(&shared) }
    }
    #expect(single.filter.offsets.first == 2 && shared.filter.offsets.first == 2)
    for device in Site.devices {
      let level = try #require(single.filter.usualLevel(of: device.id))
      let other = try #require(shared.filter.usualLevel(of: device.id))
      #expect(abs(level - other) < 0.01, "device \(device.id): \(level) and \(other)")
    }
    let (loud, quiet) = (try #require(shared.filter.usualLevel(of: 2)), try #require(shared.filter.usualLevel(of: 1)))
    #expect(loud > quiet + 3)
    // Each takeover loses at most the time since the last guess, half a minute.
    for _ in 1...5 {
      Self.hear(&single, seconds: 15)
      Self.hear(&shared, seconds: 15)
    }
    #expect(single.filter.offsets.first == 1 && shared.filter.offsets.first == 1)
  }

  @Test func `a device that joins begins the first hour again`() throws {
    var site = Site()
    site.filter = BeaconRoomFilter(devices: Array(Site.devices.dropLast()))
    for _ in 1...40 { Self.hear(&site, seconds: 15) }
    try Self.takeOver(&site)
    for _ in 1...40 { Self.hear(&site, seconds: 15) }
    #expect(site.filter.offsets.first == 2)
    for _ in 1...21 { Self.hear(&site, seconds: 15) }
    #expect(site.filter.offsets.first == 1)
  }

  @Test func `a stored first hour names no beacon, and is refused if it is damaged`() throws {
    var site = Site()
    Self.hear(&site, seconds: 40)
    let octets = site.filter.offsets
    #expect(octets.count == 5 + Site.devices.count * 5 + 3 * (3 + 3))
    for end in 1..<octets.count {
      var filter = site.filter
      // A part that ends between two devices is complete.
      guard (try? filter.restore(offsets: Array(octets[..<end]))) == nil else { continue }
      #expect(filter.offsets == octets)
    }
    var filter = site.filter
    #expect(throws: RoomStateError.outOfRange(at: 1)) { try filter.restore(offsets: [2, 0, 0x36, 0xEE, 0x81]) }
    #expect(throws: RoomStateError.outOfRange(at: 9)) { try filter.restore(offsets: [2, 0, 0, 0, 1, 0, 0, 0, 1, 4]) }
  }
}
