import Instants
import Testing

@testable import Ingest

@Suite struct DiskWatchTests {
  private struct Failure: Error, CustomStringConvertible { let description: String }

  private static let full = Failure(description: "the disk is full")

  private let clock = ManualClock()
  private let outages = ListOutages()

  private func watch() -> DiskWatch { DiskWatch(clock: clock, outages) }

  private var shown: [Int] { outages.signs.map(\.seconds) }

  @Test("a full disk is shown from its first failure on, and stored at its end")
  func fullDisk() throws {
    let watch = watch()
    #expect(watch.note(Self.full))
    clock.uptime += .seconds(60)
    #expect(watch.note(Self.full) && shown == [0] && outages.signs[0].sign() != nil && outages.stored.isEmpty)
    clock.uptime += .seconds(5)
    #expect(try watch.end() == .seconds(65) && outages.stored == [[65, 10]])
    #expect(outages.signs[0].sign() == nil, "nothing shows an outage that has ended")
    #expect(try watch.end() == nil && outages.stored.count == 1)
  }

  @Test("another error does not begin an outage")
  func otherError() throws {
    let watch = watch()
    #expect(!watch.note(Failure(description: "no link")) && shown.isEmpty)
    #expect(try watch.end() == nil && outages.stored.isEmpty)
  }

  @Test("a database that takes no link shows the outage later, with the time of the first failure")
  func laterLink() throws {
    let watch = watch()
    outages.isDown = true
    #expect(watch.note(Self.full) && shown.isEmpty)
    clock.uptime += .seconds(3600)
    outages.isDown = false
    #expect(watch.note(Self.full) && shown == [3600])
  }

  @Test("a sign that has gone is made again by the same failure")
  func lostSign() throws {
    let watch = watch()
    #expect(watch.note(Self.full))
    outages.signs[0].sign()?.isGone = true
    clock.uptime += .seconds(7)
    try #require(watch.note(Self.full) && shown == [0, 7])
    #expect(outages.signs[0].sign() == nil && outages.signs[1].sign() != nil)
    outages.signs[1].sign()?.isGone = true
    outages.isDown = true
    #expect(watch.note(Self.full) && outages.signs[1].sign() == nil)
    outages.isDown = false
    clock.uptime += .seconds(1)
    #expect(watch.note(Self.full) && shown == [0, 7, 8])
  }

  @Test("an end that cannot be stored is stored later, with its time until then")
  func failedEnd() throws {
    let watch = watch()
    #expect(watch.note(Self.full))
    clock.uptime += .seconds(20)
    outages.isDown = true
    #expect(throws: Stop.self) { try watch.end() }
    outages.isDown = false
    clock.uptime += .seconds(10)
    #expect(try watch.end() == .seconds(30) && outages.stored == [[30, 10]])
  }

  @Test("a failure after the end of an outage starts another outage")
  func nextOutage() throws {
    let watch = watch()
    #expect(watch.note(Self.full))
    clock.uptime += .seconds(20)
    _ = try watch.end()
    clock.uptime += .seconds(100)
    #expect(watch.note(Self.full) && shown == [0, 0])
    clock.uptime += .seconds(3)
    #expect(try watch.end() == .seconds(3))
  }
}
