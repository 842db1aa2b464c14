import EventLoop
import Geodesy
import Instants
import LocationArbitration
import LocationSources
import Locations
import Positioning
import TestSupport
import Testing

@Suite struct FixedSourceTests {
  @Test func `a fixed source reports its location once, and never wakes the loop afterwards`() throws {
    let loop = try Loop()
    let source = FixedSource(loop, at: LocationReading(latitude: 50.25, longitude: 8.5, horizontalAccuracy: 2))
    var locations: [Location] = []
    source.onLocation = { locations.append($0) }
    source.start(for: .best)
    source.start(for: .kilometer)
    #expect(locations.isEmpty)
    // A fixed source reports in the next turn of the loop.
    try loop.run(for: .milliseconds(50))
    #expect(locations.map(\.coordinate) == [Coordinate(latitude: 50.25, longitude: 8.5)])
    #expect((source.health, source.counts.fixes) == (LocationHealth(.fixing), 1))
    // The time exceeds the second at which every other source reports.
    try loop.run(for: .milliseconds(1100))
    #expect(source.health.state == .fixing)
    source.stop()
    #expect(source.health.state == .off)
    source.start(for: .best)
    // A fixed source reports in the next turn of the loop.
    try loop.run(for: .milliseconds(50))
    #expect(locations.count == 2)
  }

  @Test func `a fixed source that is stopped before its report stays silent`() throws {
    let loop = try Loop()
    let source = FixedSource(loop, at: LocationReading(latitude: 50.25, longitude: 8.5))
    source.onLocation = { _ in Issue.record("the source reported a location") }
    source.start(for: .best)
    source.stop()
    // A fixed source would report in the next turn of the loop.
    try loop.run(for: .milliseconds(50))
    #expect(source.counts.fixes == 0)
  }
}
