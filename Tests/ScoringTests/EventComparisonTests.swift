import Beacons
import Events
import Instants
import Ranging
import Scoring
import TestSupport
import Testing

/// The events of several configurations side by side.
@Suite struct EventComparisonTests {
  private static func event(_ kind: Event.Kind, _ region: String, _ seconds: Double) -> Event {
    Event(sequence: 0, kind: kind, region: region, time: Instant(microseconds: 0) + .seconds(seconds))
  }

  private static func compare(_ runs: [Event]...) -> EventComparison {
    EventComparison(runs.enumerated().map { EventComparison.Run(name: "\($0.offset)", events: $0.element) })
  }

  private static func seconds(_ row: EventComparison.Row) -> [Double?] { row.times.map { $0.map { Double($0.microseconds) / 1_000_000 } } }

  @Test func `events of one region and kind within a minute are one row in the order of time`() {
    let comparison = Self.compare(
      [Self.event(.enter, "a", 10), Self.event(.exit, "a", 100)],
      [Self.event(.enter, "b", 5), Self.event(.enter, "a", 12), Self.event(.exit, "a", 161)])
    #expect(comparison.rows.map(\.region) == ["b", "a", "a", "a"])
    #expect(comparison.rows.map(Self.seconds) == [[nil, 5], [10, 12], [100, nil], [nil, 161]])
    #expect(comparison.delay(ofRun: 1) == .seconds(2) && comparison.delay(ofRun: 0) == .zero)
  }

  @Test func `the events of all runs are in the order of time, and events of one time in the order of the runs`() {
    let untimed = Event(sequence: 0, kind: .damaged)
    let comparison = Self.compare(
      [untimed, Self.event(.enter, "a", 10), Self.event(.exit, "a", 20)], [Self.event(.enter, "b", 5), Self.event(.enter, "b", 10)])
    #expect(comparison.events.map(\.run) == ["1", "0", "1", "0", "0"])
    #expect(comparison.events.map(\.event.region) == ["b", "a", "b", "a", nil])
  }

  @Test func `an event is matched with the nearest one, and each one only once`() {
    let comparison = Self.compare(
      [Self.event(.enter, "a", 0), Self.event(.enter, "a", 40)], [Self.event(.enter, "a", 39), Self.event(.enter, "a", 41)])
    #expect(comparison.rows.map(Self.seconds) == [[0, 41], [40, 39]])
  }

  @Test func `an exit is a flap if the same region is entered within a minute`() {
    let events = [
      Self.event(.enter, "a", 0), Self.event(.exit, "a", 10), Self.event(.enter, "b", 11), Self.event(.enter, "a", 70),
      Self.event(.exit, "a", 80), Self.event(.enter, "a", 141),
    ]
    let run = EventComparison.Run(name: "x", events: events)
    #expect(run.flaps == 1 && run.count(.exit) == 2)
  }

  @Test func `no runs and no events are an empty comparison`() {
    #expect(Self.compare().rows.isEmpty)
    #expect(Self.compare([], []).rows.isEmpty && Self.compare([], []).delay(ofRun: 1) == nil)
  }
}

/// Values over time in bounded memory.
@Suite struct TimeSeriesTests {
  @Test func `values of one second are one bucket`() throws {
    var series = TimeSeries()
    for (value, seconds) in [(-60.0, 1.1), (-70, 1.9), (-50, 2.0)] { series.add(value, at: Instant(microseconds: 0) + .seconds(seconds)) }
    let points = series.points
    try #require(points.count == 2)
    let first = points[0].bucket
    #expect(first.least == -70 && first.most == -60 && first.mean == -65 && first.last == -70 && first.count == 2)
    #expect(points[0].time == Instant(microseconds: 1_500_000))
  }

  @Test func `a recording of a month keeps its ends in at most two thousand buckets`() throws {
    var series = TimeSeries()
    let day = Span.seconds(86_400)
    for minute in 0..<43_200 { series.add(Double(minute), at: Instant(microseconds: 0) + .seconds(Double(60 * minute))) }
    let points = series.points
    #expect(points.count <= TimeSeries.mostBuckets && points.count > TimeSeries.mostBuckets / 3)
    #expect(points.first?.bucket.least == 0 && points.last?.bucket.most == 43_199)
    #expect(points.reduce(0) { $0 + $1.bucket.count } == 43_200)
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.time < $1.time } && series.width < day)
  }

  @Test func `times at both ends of the clock and values that are not numbers do not trap`() {
    var series = TimeSeries()
    series.add(.nan, at: Instant(microseconds: 0))
    series.add(.infinity, at: Instant(microseconds: 0))
    #expect(series.points.isEmpty)
    for time in [Int64.min, -1, 0, .max] { series.add(1, at: Instant(microseconds: time)) }
    #expect(series.points.count == 4)
  }
}
