import Locations
import MonitorConfiguration
import Testing
import Venues

/// The parts that locate the device.
@Suite struct LocationPlanTests {
  private static let walk = LocationSettings(capture: RecordedWalk(path: "walk.nmea"))
  private static let gpsd = LocationSettings(gpsd: GPSDSettings())
  private static let venue = [Venue(id: "gallery", levels: [VenueLevel()])]

  private func plan(
    _ location: LocationSettings = LocationSettings(), venues: [Venue] = [], playing recording: LocationPlan.Recording?
  ) -> LocationPlan {
    LocationPlan(Configuration(location: location, venues: venues), playing: recording)
  }

  @Test(arguments: [[], Self.venue])
  func `a device with a radio is located by its config, on the clock and with the motion of this machine`(venues: [Venue]) {
    for location in [LocationSettings(), Self.gpsd] {
      let plan = plan(location, venues: venues, playing: nil)
      #expect(plan.fixes == .configured && plan.clock == .machine && plan.usesMotionSensors && !plan.leavesOutSources)
      #expect(plan.hasIndoorPosition == !venues.isEmpty)
    }
  }

  @Test func `a recording with locations is located by them, on its clock`() {
    for (location, leavesOutSources) in [(LocationSettings(), false), (Self.walk, false), (Self.gpsd, true)] {
      let plan = plan(location, playing: .locations)
      #expect(plan.fixes == .recorded && plan.clock == .recording && plan.leavesOutSources == leavesOutSources)
      #expect(!plan.hasIndoorPosition && self.plan(location, venues: Self.venue, playing: .locations).hasIndoorPosition)
    }
  }

  @Test func `a walk leaves out the other sources of the config`() {
    var location = Self.walk
    location.gpsd = GPSDSettings()
    #expect(plan(location, playing: .locations).leavesOutSources)
  }

  @Test func `positions by the beacons of a recording have its clock, unless the config has sources with that of the machine`() {
    #expect(plan(venues: Self.venue, playing: .beacons).clock == .recording)
    #expect(plan(playing: .beacons).clock == .machine)
    let other = plan(Self.gpsd, venues: Self.venue, playing: .beacons)
    #expect(other.clock == .machine && other.fixes == .configured && other.hasIndoorPosition && !other.leavesOutSources)
  }

  @Test func `a receiver that never moves has no position in venues`() {
    var configuration = Configuration(venues: Self.venue)
    configuration.receiver = FixedReceiver(position: PlanPoint(x: 1, y: 2), venue: "gallery")
    let plan = LocationPlan(configuration, playing: .beacons)
    #expect(!plan.hasIndoorPosition && plan.clock == .machine)
  }

  @Test func `the motion of this machine is not that of a recording`() {
    for recording in [LocationPlan.Recording.beacons, .locations] {
      #expect(!plan(Self.gpsd, venues: Self.venue, playing: recording).usesMotionSensors)
    }
  }
}
