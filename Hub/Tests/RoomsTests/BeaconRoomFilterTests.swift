import Beacons
import FleetMessages
import Instants
import Rooms
import Testing

/// A site with two rooms on the ground, one above, and a second device in the hall.
struct Site {
  static let devices = [
    SiteDevice(id: 1, room: "hall", floor: 0), SiteDevice(id: 2, room: "shop", floor: 0), SiteDevice(id: 3, room: "attic", floor: 1),
    SiteDevice(id: 4, room: "hall", floor: 0),
  ]
  static let tag = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: 4)

  var filter = BeaconRoomFilter(devices: devices)
  var changes: [RoomChange] = []
  var second = 0.0

  /// Lets devices hear the tag at these levels, once a second.
  mutating func hear(_ levels: [Int32: Int], seconds: Int, of beacon: BeaconIdentity = tag, silent: [Int32] = []) {
    for _ in 0..<seconds {
      second += 1
      for device in Self.devices where !silent.contains(device.id) {
        let sighting = levels[device.id].map { FleetSighting(beacon: beacon, level: $0, distance: nil, rate: 50, age: 0) }
        changes += filter.take(sighting.map { [$0] } ?? [], from: device.id, at: .init(microseconds: Int64(second * 1e6)))
      }
    }
  }

  mutating func expire() { changes += filter.expire(at: Instant(microseconds: Int64(second * 1e6))) }

  var rooms: [String?] { changes.map(\.to) }
}

struct BeaconRoomFilterTests {
  @Test func `a beacon appears in the room of its loudest device, and moves to a louder one within seconds`() throws {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 20)
    #expect(site.rooms == ["hall"])
    site.hear([1: -75, 2: -60], seconds: 15)
    #expect(site.rooms == ["hall", "shop"])
    let change = try #require(site.changes.last)
    guard case .moreLikely(let comparison) = change.reason else {
      Issue.record("the reason is \(change.reason)")
      return
    }
    #expect(change.from == "hall" && comparison.present.device == 2 && comparison.former?.device == 1)
    #expect(comparison.lead > comparison.requiredLead)
    #expect(comparison.held > .zero && comparison.held < .seconds(10))
    #expect(
      change.explanation.hasPrefix("moved from hall to shop: device 2 hears it at -6")
        && change.explanation.contains(" dBm (usually -70 nearby), device 1 hears it at -7"), "\(change.explanation)")
    #expect(change.time < Instant(microseconds: 33_000_000))
    #expect(site.filter.room(of: Site.tag)?.room == "shop")
  }

  @Test func `a lead below the margin moves no beacon, however long it lasts`() {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 20)
    site.hear([1: -62, 2: -60], seconds: 3600)
    #expect(site.rooms == ["hall"])
  }

  @Test func `a beacon that rests stays although its levels favour another room, until it moves`() {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 30)
    for drift in 1...15 { site.hear([1: -60 - drift, 2: -75 + drift], seconds: 10) }
    site.hear([1: -75, 2: -60], seconds: 3600)
    #expect(site.rooms == ["hall"])
    site.hear([1: -80, 2: -50], seconds: 20)
    #expect(site.rooms == ["hall", "shop"])
  }

  @Test func `a single loud reading moves no beacon`() {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 20)
    site.hear([1: -60, 2: -30], seconds: 1)
    site.hear([1: -60, 2: -75], seconds: 20)
    #expect(site.rooms == ["hall"])
  }

  @Test func `devices in one room are not rivals`() {
    var site = Site()
    site.hear([1: -60, 2: -80], seconds: 20)
    site.hear([4: -50, 2: -70], seconds: 60)
    site.hear([1: -60, 2: -80, 4: -90], seconds: 60)
    #expect(site.rooms == ["hall"])
  }

  @Test func `a room on another floor requires a greater lead`() {
    var site = Site()
    site.hear([1: -60], seconds: 20)
    site.hear([1: -72, 3: -60], seconds: 120)
    #expect(site.rooms == ["hall"])
    site.hear([1: -72, 2: -60], seconds: 60)
    #expect(site.rooms == ["hall", "shop"])
    site.hear([2: -85, 3: -60], seconds: 60)
    #expect(site.rooms == ["hall", "shop", "attic"])
  }

  @Test func `a beacon leaves after the departure time, unless the devices of its room are silent`() {
    var site = Site()
    site.hear([1: -60], seconds: 20)
    site.hear([:], seconds: 119)
    site.expire()
    #expect(site.rooms == ["hall"])
    site.hear([:], seconds: 2)
    site.expire()
    #expect(site.rooms == ["hall", nil])
    #expect(site.filter.count == 0)

    var outage = Site()
    outage.hear([1: -60], seconds: 20)
    outage.hear([:], seconds: 1000, silent: [1, 4])
    outage.expire()
    #expect(outage.rooms == ["hall"])
    outage.hear([:], seconds: 1, silent: [])
    outage.expire()
    #expect(outage.rooms == ["hall", nil])
  }

  @Test func `a digest that overtook another changes nothing when that one arrives`() {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 20)
    let octets = site.filter.octets(of: Site.tag)
    let late = FleetSighting(beacon: Site.tag, level: -20, distance: nil, rate: 50, age: 500)
    #expect(site.filter.take([late], from: 2, at: Instant(microseconds: 19_000_000)).isEmpty)
    #expect(site.filter.octets(of: Site.tag) == octets)
  }

  @Test func `the backlog of a device that was offline moves no beacon`() {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 600)
    for second in 0..<300 {
      let old = FleetSighting(beacon: Site.tag, level: -40, distance: nil, rate: 50, age: 0)
      site.changes += site.filter.take([old], from: 3, at: Instant(microseconds: Int64(second) * 1_000_000))
      site.hear([1: -60, 2: -75], seconds: 1)
    }
    #expect(site.rooms == ["hall"])
  }

  @Test(arguments: [-7200.0, 7200, -1e12, 1e12])
  func `a clock that jumps costs no room, and the filter continues`(jump: Double) {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 60)
    site.second += jump
    site.hear([1: -60, 2: -75], seconds: 120)
    site.hear([1: -80, 2: -60], seconds: 60)
    #expect(site.rooms == ["hall", "shop"])
  }

  @Test func `times without a meaning change nothing`() {
    var site = Site()
    site.hear([1: -60], seconds: 20)
    for time in [Int64.min, .max] {
      let sighting = FleetSighting(beacon: Site.tag, level: -40, distance: nil, rate: 50, age: 65_535)
      #expect(site.filter.take([sighting], from: 2, at: Instant(microseconds: time)).isEmpty)
    }
    site.hear([1: -60], seconds: 20)
    #expect(site.rooms == ["hall"])
  }

  @Test func `a flood of beacons displaces none that has a room, and never exceeds the limit`() {
    var settings = BeaconRoomFilterSettings()
    settings.mostBeacons = 64
    var site = Site()
    site.filter = BeaconRoomFilter(devices: Site.devices, settings: settings)
    site.hear([1: -60], seconds: 20)
    for minor in UInt16(100)..<2000 {
      let foreign = BeaconIdentity(uuid: BeaconUUID(high: 9, low: 9), major: 1, minor: minor)
      let sighting = FleetSighting(beacon: foreign, level: -50, distance: nil, rate: 1, age: 0)
      site.changes += site.filter.take([sighting], from: 1, at: Instant(microseconds: 20_000_000 + Int64(minor)))
      #expect(site.filter.count <= 64)
    }
    #expect(site.filter.room(of: Site.tag)?.room == "hall")
  }

  @Test func `the levels become final an hour after the first digest, and a stay then teaches its first minute`() throws {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 3590)
    #expect(site.filter.offsets.first == 2)
    site.hear([1: -60, 2: -75], seconds: 60)
    #expect(site.filter.offsets.first == 1 && site.filter.offsets.count > 1)
    let before = try #require(site.filter.usualLevel(of: 2))
    // The beacon enters the shop. 24 samples, one every 3 s, teach the level of its device there.
    site.hear([1: -80, 2: -60], seconds: 40)
    #expect(site.rooms == ["hall", "shop"])
    let early = try #require(site.filter.usualLevel(of: 2))
    #expect(early > before)
    site.hear([1: -80, 2: -60], seconds: 80)
    let full = try #require(site.filter.usualLevel(of: 2))
    #expect(full > early)
    site.hear([1: -80, 2: -60], seconds: 600)
    #expect(site.filter.usualLevel(of: 2) == full)
  }

  @Test func `the devices of one room share its places, so that a beacon between them stays`() {
    var site = Site()
    site.hear([1: -60, 4: -60, 2: -90], seconds: 20)
    site.hear([1: -76, 4: -77, 2: -79], seconds: 300)
    #expect(site.rooms == ["hall"])
  }

  @Test func `a device that the site does not have is ignored`() {
    var site = Site()
    let sighting = FleetSighting(beacon: Site.tag, level: -40, distance: nil, rate: 50, age: 0)
    #expect(site.filter.take([sighting], from: 99, at: Instant(microseconds: 1)).isEmpty)
    #expect(site.filter.count == 0)
    site.filter = BeaconRoomFilter(devices: [])
    #expect(site.filter.take([sighting], from: 1, at: Instant(microseconds: 1)).isEmpty)
  }
}
