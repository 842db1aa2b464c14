import Events
import Geodesy
import Instants
import Locations
import Proximity
import Records
import Regions
import Replays
import Testing
import TrackRecordings

/// A walk of a location receiver without a capture.
@Suite struct FixReplayTests {
  private static func second(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }

  private static func fix(_ seconds: Double, latitude: Double = 1, isFix: Bool = true) -> WalkReport {
    WalkReport(
      .reading(LocationReading(isFix: isFix, latitude: latitude, longitude: 2, horizontalAccuracy: 3)), at: second(seconds))
  }

  private func replay() throws -> FixReplay {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    let center = try #require(Coordinate(latitude: 1, longitude: 2))
    engine.add(.circle(CircularRegion(identifier: "square", circle: try #require(Circle(center: center, radius: 200)))), at: engine.now)
    return FixReplay(EngineDriver(engine: engine))
  }

  @Test func `a walk into a circle and out of it causes its events`() throws {
    var replay = try replay()
    var events: [Event] = []
    for second in stride(from: 0.0, to: 200, by: 5) { events += replay.take(Self.fix(second, latitude: second < 100 ? 1 : 1.1)) }
    #expect(events.map(\.kind) == [.enter, .exit] && events.map(\.region) == ["square", "square"])
    #expect(replay.fixCount == 40 && replay.eventCount == 2 && replay.period == Self.second(0)...Self.second(195))
  }

  @Test func `the time passes while the receiver searches, but does not begin then`() throws {
    var replay = try replay()
    #expect(replay.take(WalkReport(.searching(.init(), time: nil), at: Self.second(0))).isEmpty && replay.period == nil)
    #expect(replay.wait() == nil)
    _ = replay.take(Self.fix(10))
    _ = replay.take(WalkReport(.searching(.init(), time: nil), at: Self.second(25)))
    #expect(replay.period == Self.second(10)...Self.second(25) && replay.fixCount == 1)
    _ = replay.take(WalkReport(.searching(.init(), time: nil), at: Self.second(20)))
    #expect(replay.period == Self.second(10)...Self.second(25))
  }

  @Test func `refused readings are counted, and only one without a fix advances the time`() throws {
    var replay = try replay()
    _ = replay.take(Self.fix(10))
    _ = replay.take(Self.fix(20, latitude: 91))
    #expect(replay.period == Self.second(10)...Self.second(10))
    _ = replay.take(Self.fix(30, isFix: false))
    #expect(replay.period == Self.second(10)...Self.second(30))
    #expect(replay.refused[.latitude] == 1 && replay.refused[.noFix] == 1 && replay.refused.total == 2 && replay.fixCount == 1)
  }
}
