import Geotagging
import Instants
import Testing

@Suite struct PhotoTimeTests {
  private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

  @Test func `the time of a photo has the fraction of a second and the offset of its zone`() throws {
    let time = try #require(PhotoTime(dateTime: "2026:11:21 08:15:02", subsecond: "25", offset: "+01:00"))
    #expect(time.shown == (try instant("2026-11-21T08:15:02.25Z")))
    #expect(time.offset == .seconds(3600))
    #expect(PhotoTime(dateTime: "2026:11:21 08:15:02", offset: "-03:30")?.offset == .seconds(-12_600))
    #expect(PhotoTime(dateTime: "2026:11:21 08:15:02", offset: "Z")?.offset == .zero)
  }

  @Test func `the offset of a photo takes precedence over a zone, and a photo without both has no instant`() throws {
    let zone = { (shown: Instant) in shown - .seconds(7200) }
    let own = try #require(PhotoTime(dateTime: "2026:11:21 08:15:02", offset: "+01:00"))
    #expect(own.instant(inZone: zone) == (try instant("2026-11-21T07:15:02Z")) && own.instant(inZone: nil) == own.instant(inZone: zone))
    let bare = try #require(PhotoTime(dateTime: "2026:11:21 08:15:02"))
    #expect(bare.instant(inZone: zone) == (try instant("2026-11-21T06:15:02Z")) && bare.instant(inZone: nil) == nil)
  }

  @Test func `blanks and zero octets around the tags of a photo are ignored`() throws {
    let time = try #require(PhotoTime(dateTime: "2026:11:21 08:15:02\0", subsecond: "5  ", offset: "+01:00\0"))
    #expect(time.shown == (try instant("2026-11-21T08:15:02.5Z")) && time.offset == .seconds(3600))
  }

  @Test func `an unreadable fraction or offset is unknown`() throws {
    let time = try #require(PhotoTime(dateTime: "2026:11:21 08:15:02", subsecond: "x", offset: "CET"))
    #expect(time.shown == (try instant("2026-11-21T08:15:02Z")) && time.offset == nil)
    #expect(PhotoTime(dateTime: "2026:11:21 08:15:02", subsecond: "-5")?.shown == (try instant("2026-11-21T08:15:02Z")))
  }

  @Test(
    "a text that is not the time of a photo is refused",
    arguments: [
      "", "0000:00:00 00:00:00", "    :  :     :  :  ", "2026:13:01 00:00:00", "2026:02:30 00:00:00", "2026:11:21", "2026-11-21T08:15:02Z",
      "2026:11:21 08:15:02+01:00", "????:11:21 12:00:00",
    ])
  func refused(_ text: String) { #expect(PhotoTime(dateTime: text) == nil) }
}
