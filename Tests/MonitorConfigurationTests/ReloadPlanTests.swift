import BeaconAdvertising
import Locations
import MonitorConfiguration
import Testing
import Venues

/// The parts of the daemon that a reload replaces.
@Suite struct ReloadPlanTests {
  private static let gpsd = "[location.gpsd]\n"
  private static let fixed = "[location.fixed]\nlatitude = 1\nlongitude = 2\n"

  private func read(_ text: String, hasVenue: Bool = false) throws -> Configuration {
    var configuration = try Configuration.parse(text: text, name: "t")
    if hasVenue { configuration.venues = [Venue(id: "gallery", levels: [VenueLevel()])] }
    return configuration
  }

  private func settings(
    _ started: Configuration, hasOwnSpeed: Bool = false, playing recording: LocationPlan.Recording? = nil
  ) -> SettingsInForce {
    SettingsInForce(started, hasOwnSpeed: hasOwnSpeed, LocationPlan(started, playing: recording))
  }

  @Test func `a config with the same values replaces no source`() throws {
    let text = "source = \"auto\"\n" + Self.gpsd + "[heading]\nmount-angle = 90\n"
    var settings = settings(try read(text, hasVenue: true))
    #expect(settings.adopt(try read(text, hasVenue: true)) == ReloadPlan())
    #expect(!settings.needsRestart)
  }

  @Test func `other location sources replace the present ones once, and forget a fixed place that is gone`() throws {
    var settings = settings(try read(Self.fixed))
    var plan = settings.adopt(try read(Self.gpsd))
    #expect(plan.replacesLocationSources && plan.forgetsFixedPlace)
    #expect(settings.adopt(try read(Self.gpsd)) == ReloadPlan())
    plan = settings.adopt(try read(Self.gpsd + Self.fixed))
    #expect(plan.replacesLocationSources && !plan.forgetsFixedPlace)
  }

  @Test func `the first venue adds the indoor position, another venue does not, and a receiver removes it`() throws {
    var settings = settings(try read(Self.gpsd))
    #expect(settings.adopt(try read(Self.gpsd, hasVenue: true)).replacesLocationSources)
    var other = try read(Self.gpsd, hasVenue: true)
    other.venues.append(Venue(id: "shop", levels: [VenueLevel()]))
    #expect(settings.adopt(other) == ReloadPlan())
    other.receiver = FixedReceiver(position: PlanPoint(x: 1, y: 2), venue: "shop")
    #expect(settings.adopt(other).replacesLocationSources)
  }

  @Test(arguments: [true, false]) func `the locations of a played source are kept`(hasVenue: Bool) throws {
    var settings = settings(try read(Self.fixed, hasVenue: hasVenue), playing: .locations)
    #expect(settings.adopt(try read(Self.gpsd, hasVenue: true)) == ReloadPlan())
    #expect(settings.adopt(try read("", hasVenue: true)) == ReloadPlan())
    #expect(settings.adopt(try read(Self.gpsd, hasVenue: true)) == ReloadPlan() && !settings.needsRestart)
  }

  @Test func `a receiver needs a restart while positions have the clock of a recording, and a fixed place needs none`() throws {
    var settings = settings(try read("", hasVenue: true), playing: .beacons)
    let plan = settings.adopt(try read(Self.gpsd, hasVenue: true))
    #expect(!plan.replacesLocationSources && plan.restarts == ["receivers of [location] require a restart while a recording plays"])
    #expect(settings.needsRestart)
    #expect(settings.adopt(try read(Self.fixed, hasVenue: true)).replacesLocationSources)
    #expect(!settings.needsRestart)
  }

  @Test func `a recorded walk needs a restart, and its removal restores the sources of the start without one`() throws {
    var settings = settings(try read("source = \"none\"\n" + Self.gpsd))
    var walk = try read("source = \"none\"\n" + Self.gpsd)
    walk.location.capture = RecordedWalk(path: "walk.nmea")
    var plan = settings.adopt(walk)
    #expect(!plan.replacesLocationSources && plan.restarts.count == 1 && settings.needsRestart)
    plan = settings.adopt(try read("source = \"none\"\n" + Self.gpsd))
    #expect(plan == ReloadPlan() && !settings.needsRestart)
    #expect(settings.adopt(try read("source = \"none\"\n" + Self.fixed)).replacesLocationSources)
  }

  @Test func `another mount angle keeps the sources of headings, and any other setting replaces them`() throws {
    var settings = settings(try read(""))
    var plan = settings.adopt(try read("[heading]\nmount-angle = 90\n"))
    #expect(plan.changesOrientation && !plan.replacesHeadingSources)
    plan = settings.adopt(try read("[heading]\nsource = \"off\"\nmount-angle = 45\n"))
    #expect(plan.changesOrientation && plan.replacesHeadingSources)
    #expect(settings.adopt(try read("[heading]\nsource = \"off\"\nmount-angle = 45\n")) == ReloadPlan())
  }

  @Test func `the source, its speed and the journal of the start stay until a restart`() throws {
    var settings = settings(try read("source = \"capture:a\"\n"))
    let played = "changes to source, capture-speed and [location.capture] require a restart"
    #expect(settings.adopt(try read("source = \"capture:b\"\n")).restarts == [played])
    #expect(settings.adopt(try read("source = \"capture:a\"\ncapture-speed = 2\n")).restarts == [played])
    #expect(
      settings.adopt(try read("source = \"capture:b\"\n[journal]\nretention = \"1d\"\n")).restarts
        == [played, "changes to [journal] require a restart"])
    // The first reload is compared with the start, not with the previous reload.
    #expect(settings.adopt(try read("source = \"capture:a\"\n")).restarts.isEmpty && !settings.needsRestart)
  }

  @Test func `a speed of the command line makes the speed of the config irrelevant`() throws {
    var settings = settings(try read("source = \"capture:a\"\n"), hasOwnSpeed: true)
    #expect(settings.adopt(try read("source = \"capture:a\"\ncapture-speed = 2\n")) == ReloadPlan())
  }
}
