import EventLoop
import Instants
import Locations
import Testing

@testable import LocationSources

/// The health of a source by what it reports.
@Suite struct FixValidatorTests {
  @Test func `a report after the end does not switch a source on`() throws {
    let loop = try Loop()
    let validator = FixValidator(loop, .nmea, .steady(.seconds(10))) { .now(loop) }
    var states: [LocationHealth.State] = []
    validator.onHealthChange = { states.append($0.state) }
    validator.begin()
    validator.end()
    validator.fail(.gone, "unplugged")
    validator.noteFlood()
    validator.take(.searching(SourceReport.Satellites()))
    #expect(!validator.isOn && states == [.starting, .off])
    validator.begin()
    validator.fail(.gone, "unplugged")
    #expect(validator.isOn && states == [.starting, .off, .starting, .gone])
  }
}
