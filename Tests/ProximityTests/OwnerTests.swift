import Beacons
import Events
import Instants
import Proximity
import Ranging
import Regions
import Testing

/// Regions of several owners in one engine.
@Suite struct OwnerTests {
  let session = RegionOwner.session(1)

  func region(_ name: String, of owner: RegionOwner, minor: UInt16? = nil) -> BeaconRegion {
    BeaconRegion(identifier: name, owner: owner, constraint: Venue.region(minor: minor).constraint, learnsExitDelay: false)
  }

  @Test func `two owners may use the same identifier, and each event names its owner`() {
    var venue = Venue(Venue.region("hall"), region("hall", of: session), region("hall", of: .session(2)))
    venue.engine.remove(["hall"], of: .session(2))
    venue.engine.ingest(venue.sighting(1))
    let events = venue.engine.drainEvents()
    #expect(events.map(\.transition.region.owner) == [.config, session])
    #expect(events.map(\.transition.region.identifier) == ["hall", "hall"])
  }

  @Test func `each owner's events have their own numbers, and the config's continue from the journal's last`() {
    var engine = ProximityEngine(at: Instant(microseconds: 0), lastSequence: 41)
    engine.add(.beacon(Venue.region("hall")), at: engine.now)
    engine.add(.beacon(region("hall", of: session)), at: engine.now)
    engine.add(.beacon(region("room", of: session)), at: engine.now)
    engine.advance(to: Instant(microseconds: 0) + .seconds(100))
    engine.ingest(Venue().sighting(101))
    let events = engine.drainEvents()
    #expect(events.filter { $0.transition.region.owner == .config }.map(\.sequence) == [42, 43])
    #expect(events.filter { $0.transition.region.owner == session }.map(\.sequence) == [1, 2, 3, 4])
  }

  @Test func `the apps of a user have their own identifiers and one sequence of numbers, which continues`() {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    let apps = [RegionOwner.app(1, of: 0), .app(2, of: 0), .app(1, of: 3)]
    engine.setLastSequence(41, of: .user(0))
    for app in apps { engine.add(.beacon(region("desk", of: app)), at: engine.now) }
    engine.ingest(Venue().sighting(1))
    let events = engine.drainEvents()
    #expect(events.map(\.transition.region.owner) == apps && events.map(\.sequence) == [42, 43, 1])
    #expect(apps.map(\.user) == [0, 0, 3] && RegionOwner.config.user == nil && RegionOwner.session(RegionOwner.lastSession).user == nil)
    #expect(apps.map(\.row) == [.user(0), .user(0), .user(3)] && session.row == session)
  }

  @Test func `the saved state of an app's region is not restored for another app`() throws {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    for app in [RegionOwner.app(1, of: 0), .app(2, of: 0)] { engine.add(.beacon(region("desk", of: app)), at: engine.now) }
    engine.ingest(Venue().sighting(1))
    _ = engine.drainEvents()
    let saved = try #require(engine.saved("desk", of: .app(2, of: 0)) { $0 })
    var next = ProximityEngine(at: Instant(microseconds: 2_000_000))
    for app in [RegionOwner.app(1, of: 0), .app(2, of: 0)] { next.add(.beacon(region("desk", of: app)), at: next.now) }
    next.restore([saved], of: .app(2, of: 0), after: .seconds(1), at: next.now) { $0 }
    next.ingest(Venue().sighting(3))
    #expect(next.drainEvents().map(\.transition.kind) == [.enter, .state])
  }

  @Test func `a new config does not affect the regions of other owners`() {
    var venue = Venue(Venue.region("hall"), region("hall", of: session), region("room", of: session))
    venue.hear(1)
    venue.engine.replaceRegions(with: [.beacon(Venue.region("room"))], at: venue.engine.now)
    #expect(venue.engine.watches(of: .config).map(\.region.identifier) == ["room"])
    #expect(venue.engine.watches(of: session).map { "\($0.region.identifier) \($0.state)" } == ["hall inside", "room inside"])
  }

  @Test func `pending events of a removed region are dropped`() {
    var venue = Venue(region("hall", of: session), region("room", of: session), Venue.region("hall"))
    venue.engine.ingest(venue.sighting(1))
    venue.engine.remove(["hall"], of: session)
    let events = venue.engine.drainEvents()
    #expect(events.map { "\($0.sequence) \($0.transition.region.identifier)" } == ["1 room", "1 hall"])
    #expect(events.last?.transition.region.owner == .config)
  }

  @Test func `a replaced region continues without an event`() {
    var venue = Venue(region("hall", of: session))
    venue.hear(1)
    venue.engine.add(
      .beacon(
        BeaconRegion(
          identifier: "hall", owner: session, constraint: Venue.region().constraint, exitDelay: .seconds(5), learnsExitDelay: false)),
      at: venue.engine.now)
    venue.pass(to: 20)
    #expect(venue.log == ["1.0 hall enter inside sighting", "6.0 hall exit outside silence"])
  }

  @Test func `the demand on the radio ends with its last owner`() {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.add(
      .beacon(
        BeaconRegion(
          identifier: "desk", owner: session, constraint: Venue.region().constraint, nearness: BeaconRegion.Nearness(within: 1))),
      at: engine.now)
    var driver = EngineDriver(engine: engine)
    #expect(driver.demand == .strength)
    driver.adjust { $0.add(.beacon(Venue.region("hall")), at: $0.now) }
    driver.adjust { $0.remove(["desk"], of: session) }
    #expect(driver.demand == .presence)
    driver.adjust { $0.replaceRegions(with: [], at: $0.now) }
    #expect(driver.demand == .nothing)
  }
}
