import Locations
import MonitorConfiguration
import RadioHealth
import Testing

/// The files of the daemon's state.
@Suite struct StateFilesTests {
  private var configuration = Configuration()

  private func files(_ source: Source, unitFolder: String? = "/unit") -> StateFiles {
    StateFiles(configuration, source, unitFolder: unitFolder) { "/usual" }
  }

  @Test(arguments: [Source.radio(.auto), .radio(.hci), .nothing])
  func `a daemon that observes this machine keeps all of its state in the usual folder`(source: Source) {
    let files = files(source)
    #expect(files.isLive && files.journal == "/usual/journal.db" && files.consent == "/usual/consent.db")
    #expect(files.learned == "/usual/state.db" && files.visits == "/usual/visits.db" && files.addresses == "/usual/addresses")
    #expect(files.venues == "/usual/venues")
  }

  @Test(arguments: [Source.capture(path: "a.btsnoop"), .simulator(path: "a.toml")])
  func `a source that is played leaves nothing behind but saved venues`(source: Source) {
    let files = files(source)
    #expect(!files.isLive && files.journal == nil && files.consent == nil && files.learned == nil && files.visits == nil)
    #expect(files.addresses == nil && files.venues == "/unit/venues")
    #expect(self.files(source, unitFolder: nil).venues == nil)
  }

  @Test func `a recorded walk without beacons is played`() throws {
    var test = self
    test.configuration.location.capture = RecordedWalk(path: "walk.nmea")
    #expect(!test.files(.nothing).isLive && test.files(.nothing).journal == nil)
    #expect(test.files(.radio(.auto)).isLive)
  }

  @Test func `a journal that the config names holds the state of each source, and the usual folder is not used`() {
    var test = self
    test.configuration.journal.path = "/srv/shop/events.db"
    for source in [Source.radio(.auto), .capture(path: "a.btsnoop")] {
      let files = StateFiles(test.configuration, source, unitFolder: "/unit") {
        Issue.record("the usual folder may be made by the question for it")
        return ""
      }
      #expect(files.journal == "/srv/shop/events.db" && files.consent == "/srv/shop/consent.db" && files.venues == "/srv/shop/venues")
    }
    #expect(test.files(.radio(.auto)).isLive && !test.files(.capture(path: "a.btsnoop")).isLive)
  }
}
