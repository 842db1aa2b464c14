import Beacons
import FleetMessages
import FleetQueries
import Testing

@Suite struct TagPathTests {
  private func tag(_ major: UInt16, _ minor: UInt16) -> BeaconIdentity {
    BeaconIdentity(uuid: BeaconUUID(high: 0x0123_4567_89AB_CDEF, low: 2), major: major, minor: minor)
  }

  private func digest(_ tag: BeaconIdentity, _ level: Int, age: Int = 0) -> [UInt8] {
    let sighting = FleetSighting(beacon: tag, level: level, distance: nil, rate: 10, age: age)
    return FleetMessage(journal: StreamJournal(high: 1, low: 1), sequence: 1, floor: 1, time: 0, body: .digest([sighting])).octets
  }

  @Test("a digest contains the pattern of its tag", arguments: [0, 23, 24, 255, 256, 65_535] as [UInt16])
  func pattern(number: UInt16) {
    let octets = digest(tag(number, 65_535 - number), -60)
    let pattern = TagPath(of: tag(number, 65_535 - number)).pattern
    #expect(octets.indices.contains { octets[$0...].starts(with: pattern) })
  }

  @Test("the oldest minute says that older digests were left out")
  func truncated() {
    var path = TagPath(of: tag(1, 2))
    for end in [120_000, 180_000] as [Int64] { path.add(digest(tag(1, 2), -70), of: "door", end: end) }
    #expect(!path.rows.contains { $0.contains("truncated") })
    path.isTruncated = true
    #expect(path.rows.map { $0.contains("\"truncated\":true") } == [false, true])
  }

  @Test("each minute has the devices that heard the tag, the loudest first")
  func minutes() {
    var path = TagPath(of: tag(1, 2))
    path.add(digest(tag(1, 2), -70), of: "door", end: 120_000)
    path.add(digest(tag(1, 2), -61), of: "hall", end: 125_000)
    path.add(digest(tag(1, 2), -62), of: "hall", end: 179_999)
    path.add(digest(tag(1, 2), -50, age: 2000), of: "shop", end: 180_500)
    path.add(digest(tag(1, 2), -80), of: "yard", end: 200_000)
    path.add(digest(tag(1, 3), -40), of: "hall", end: 130_000)
    path.add([0xFF], of: "hall", end: 130_000)
    #expect(
      path.rows == [
        #"{"time":"1970-01-01T00:03:00.000000Z","devices":[{"device":"yard","level":-80.0,"digests":1}]}"#,
        #"{"time":"1970-01-01T00:02:00.000000Z","devices":[{"device":"shop","level":-50.0,"digests":1},"#
          + #"{"device":"hall","level":-61.5,"digests":2},{"device":"door","level":-70.0,"digests":1}]}"#,
      ])
  }
}
