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

  var filter = RoomFilter(devices: devices)
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

struct RoomFilterTests {
  @Test func `a beacon appears in the room of its loudest device, and moves to a louder one within seconds`() throws {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 20)
    #expect(site.rooms == ["hall"])
    site.hear([1: -75, 2: -60], seconds: 15)
    #expect(site.rooms == ["hall", "shop"])
    let change = try #require(site.changes.last)
    guard case .louder(let comparison) = change.reason else {
      Issue.record("the reason is \(change.reason)")
      return
    }
    #expect(change.from == "hall" && comparison.device == 2 && comparison.formerDevice == 1)
    #expect(try #require(comparison.lead) > comparison.requiredLead)
    #expect(comparison.held > .zero && comparison.held < .seconds(10))
    #expect(change.time < Instant(microseconds: 30_000_000))
    #expect(site.filter.room(of: Site.tag)?.room == "shop")
  }

  @Test func `a lead below the margin moves no beacon, however long it lasts`() {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 20)
    site.hear([1: -62, 2: -60], seconds: 3600)
    #expect(site.rooms == ["hall"])
  }

  @Test func `a single loud reading moves no beacon`() {
    var site = Site()
    site.hear([1: -60, 2: -75], seconds: 20)
    site.hear([1: -60, 2: -30], seconds: 1)
    site.hear([1: -60, 2: -75], seconds: 20)
    #expect(site.rooms == ["hall"])
  }

  @Test func `devices in one room are no rivals`() {
    var site = Site()
    site.hear([1: -60, 2: -80], seconds: 20)
    site.hear([4: -50, 2: -70], seconds: 60)
    site.hear([1: -60, 2: -80, 4: -90], seconds: 60)
    #expect(site.rooms == ["hall"])
  }

  @Test func `a room on another floor requires a greater lead`() {
    var site = Site()
    site.hear([1: -60], seconds: 20)
    site.hear([1: -66, 3: -60], seconds: 120)
    #expect(site.rooms == ["hall"])
    site.hear([1: -66, 2: -60], seconds: 60)
    #expect(site.rooms == ["hall", "shop"])
    site.hear([2: -72, 3: -60], seconds: 60)
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
}
