import Failures
import Setup
import Status
import Testing

@Suite struct LearnedSelectionTests {
  private static func venue(_ id: String, _ adapters: String...) -> VenueStatus {
    var venue = VenueStatus()
    venue.venue = id
    venue.receivers = adapters.map { address in
      var receiver = VenueStatus.Receiver()
      receiver.adapter = address
      return receiver
    }
    return venue
  }

  private static let status = {
    var status = MonitorStatus()
    status.venues = [venue("hall", "00:01", "00:02"), venue("shop", "00:01")]
    return status
  }()

  @Test func `a selection without a venue and an adapter has everything`() throws {
    let all = LearnedSelection(venue: nil, adapter: nil)
    #expect(try all.venues(of: Self.status) == Self.status.venues)
    #expect(all.receivers(of: Self.venue("hall", "00:01", "00:02")) == Self.venue("hall", "00:01", "00:02"))
  }

  @Test func `a selection has the named venue, and the receivers of the named adapter`() throws {
    let selection = LearnedSelection(venue: "hall", adapter: "00:02")
    let venues = try selection.venues(of: Self.status)
    #expect(venues == [Self.venue("hall", "00:01", "00:02")], "acceptance needs to know the other receivers")
    #expect(venues.map(selection.receivers) == [Self.venue("hall", "00:02")])
  }

  @Test func `a venue that the daemon does not have is refused`() {
    #expect(throws: Failure(.dataError, "there is no venue \"hal\"; \"beaconmon status\" lists the venues")) {
      try LearnedSelection(venue: "hal", adapter: nil).venues(of: Self.status)
    }
    #expect(throws: Failure(.dataError, "the config has no venue")) {
      try LearnedSelection(venue: nil, adapter: nil).venues(of: MonitorStatus())
    }
  }
}
