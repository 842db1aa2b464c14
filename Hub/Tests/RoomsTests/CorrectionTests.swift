import Testing

@testable import Rooms

/// The corrections of surveys by beacons, and their octets.
struct CorrectionTests {
  private static let surveys = [
    RoomSurveyTests.survey("hall", [1: -50, 2: -78, 4: -66]), RoomSurveyTests.survey("shop", [1: -62, 2: -66, 4: -70]),
    RoomSurveyTests.survey("attic", [3: -55]),
  ]
  /// A filter that beacons have taught for an hour after its first one, in which it learns nothing.
  ///
  /// They are heard by device 2 in the shop at -72 dBm instead of -66.
  private static let taught: BeaconRoomFilter = {
    var site = Site()
    site.filter = BeaconRoomFilter(devices: Site.devices, surveys: surveys)
    for _ in 0..<60 {
      site.hear([1: -50, 2: -78, 4: -66], seconds: 60)
      site.hear([1: -62, 2: -72, 4: -70], seconds: 60)
    }
    return site.filter
  }()

  private static let untaught = BeaconRoomFilter(devices: Site.devices, surveys: surveys)

  private func room(_ name: String, _ filter: BeaconRoomFilter) throws -> SurveyedPlaces.Room {
    try #require(filter.site.places).rooms[try #require(filter.site.rooms.firstIndex(of: name))]
  }

  @Test func `another filter continues with the corrections of the one before`() throws {
    var former = Self.taught
    let corrections = former.takeCorrections()
    #expect(Set(corrections.keys) == ["hall", "shop"] && former.takeCorrections().isEmpty)
    var next = Self.untaught
    for (name, octets) in corrections {
      #expect(octets.count <= 490)
      #expect(try next.restore(corrections: octets, ofRoom: name))
      let (old, new) = (try room(name, former), try room(name, next))
      #expect(new.counts == old.counts && old.counts.max() > 0)
      for (a, b) in zip(old.listeners, new.listeners) { #expect((a.means - b.means).max() < 0.006 && (b.means - a.means).max() < 0.006) }
    }
    let (survey, corrected) = (try room("shop", Self.untaught), try room("shop", next))
    let index = try #require(survey.listeners.firstIndex { $0.slot == 1 })
    #expect((survey.listeners[index].means - corrected.listeners[index].means).max() > 0.5)
    #expect(next.takeCorrections().isEmpty)
  }

  @Test func `a filter that forgets its beacons keeps the corrections and the end of its first hour`() throws {
    var filter = Self.taught
    filter.forgetBeacons()
    #expect(filter.count == 0 && filter.site.isSettled)
    #expect(try room("shop", filter).counts == room("shop", Self.taught).counts)
  }

  @Test func `damaged or absurd corrections are refused, and the room begins with its survey`() throws {
    var former = Self.taught
    let octets = try #require(former.takeCorrections()["shop"])
    func refuse(_ octets: [UInt8], _ expected: RoomStateError? = nil, _ location: SourceLocation = #_sourceLocation) throws {
      var next = Self.untaught
      do throws(RoomStateError) {
        _ = try next.restore(corrections: octets, ofRoom: "shop")
        Issue.record("it is not refused", sourceLocation: location)
      } catch {
        if let expected { #expect(error == expected, sourceLocation: location) }
      }
      #expect(try room("shop", next).listeners.map(\.means) == room("shop", Self.untaught).listeners.map(\.means), sourceLocation: location)
      #expect(try room("shop", next).counts == .zero, sourceLocation: location)
    }
    for count in 0..<octets.count { try refuse(Array(octets.prefix(count))) }
    try refuse(octets + [0], .wrongLength(octets.count + 1))
    try refuse([9] + octets.dropFirst(), .unknownVersion(9))
    var changed = octets
    changed[1] = 201
    try refuse(changed, .outOfRange(at: 1))
    // 30.01 dB, and then a correction without a sample.
    changed = octets
    changed.replaceSubrange(14...15, with: [0x0B, 0xB9])
    try refuse(changed, .outOfRange(at: 14))
    try refuse([octets[0]] + Array(repeating: 0, count: 8) + octets.dropFirst(9))
    for offset in octets.indices {
      for flip: UInt8 in [0x01, 0x80, 0xFF] {
        var next = Self.untaught
        var damaged = octets
        damaged[offset] ^= flip
        _ = try? next.restore(corrections: damaged, ofRoom: "shop")
        let means = try room("shop", next).listeners.map(\.means)
        #expect(means.allSatisfy { $0.min() >= -128 && $0.max() <= 20 })
      }
    }
  }

  @Test func `corrections of other devices do not count`() throws {
    var former = Self.taught
    let octets = try #require(former.takeCorrections()["shop"])
    var devices = Site.devices
    devices[1].room = "hall"
    let moved = Self.surveys.dropLast(2) + [Self.surveys[2]]
    var next = BeaconRoomFilter(devices: devices, surveys: Array(moved))
    #expect(try !next.restore(corrections: octets, ofRoom: "shop") && !next.restore(corrections: octets, ofRoom: "cellar"))
    var fewer = BeaconRoomFilter(
      devices: Site.devices, surveys: [Self.surveys[0], RoomSurveyTests.survey("shop", [1: -62, 2: -66]), Self.surveys[2]])
    #expect(try !fewer.restore(corrections: octets, ofRoom: "shop"))
    #expect(try room("shop", fewer).counts == .zero)
  }
}
