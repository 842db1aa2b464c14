import BeaconAdvertising
import Beacons
import Events
import Geodesy
import Instants
import MonitorProtocol
import Monitoring
import Proximity
import Records
import Regions
import Venues

extension RegionWatch {
  /// Returns the region's state for clients.
  func report(_ monitoring: MonitoringService) -> RegionReport {
    let evidence = beacon?.lastSatisfied
    let fix = circle == nil ? nil : monitoring.lastFix
    var report = RegionReport(state, note: note(monitoring))
    report.since = monitoring.isClockKnown ? monitoring.wallClock(since) : nil
    (report.beacon, report.lastSeen) = (evidence.map { Event.Beacon($0.beacon) }, (evidence?.lastSeen).map(monitoring.wallClock))
    (report.location, report.fixTime) = (fix.map { Event.Location($0) }, (fix?.time).map(monitoring.wallClock))
    report.boundaryDistance = fix.flatMap { circle?.region.boundaryDistance(to: $0) }
    return report
  }

  /// Returns the reason why the region does not work, with its remedy; nil if it works.
  func note(_ monitoring: MonitoringService) -> String? {
    switch self {
    case .beacon(let watch):
      // An app may have registered the region when the device had a source.
      monitoring.source.hearsBeacons ? watch.note : "this device does not scan for beacons, because source is \"none\" in beaconmon.toml"
    case .circle(let watch): watch.note(monitoring.lastFix)
    case .place(let watch): watch.note(monitoring)
    }
  }
}

extension BeaconWatch {
  fileprivate var note: String? {
    guard let nameless = withoutDistance else { return nil }
    let beacon = "beacon \(nameless.beacon.major)/\(nameless.beacon.minor)"
    guard nameless.rssi != nil else { return "no distance: \(beacon) is received without an RSSI" }
    return
      "no distance: \(beacon) advertises a measured power of \(nameless.measuredPower) dBm, which is impossible at 1 m; correct it in the beacon"
  }
}

extension PlaceWatch {
  fileprivate func note(_ monitoring: MonitoringService) -> String? {
    if region.area.part == .whole, let venue = monitoring.catalogue.venues.first(where: { $0.id == region.area.venue }),
      venue.beacons.isEmpty
    {
      guard state == .unknown else { return nil }
      return venue.frame == nil
        ? "the venue has neither beacons nor a [frame], so nothing decides about it; add one of them to its file"
        : "no recent fix decides about this venue, which has no beacons; see [location] in the config"
    }
    guard monitoring.source.hearsBeacons else {
      return "no indoor position, because this device does not scan for beacons: source is \"none\" in beaconmon.toml"
    }
    guard state == .unknown else { return nil }
    if let missing = region.area.missingPart(in: monitoring.catalogue.venues) {
      return "no venue in use has the \(missing); correct the region, or add the \(missing) to a venue file"
    }
    return "no indoor position yet: fewer than four of the venue's beacons are in range, or their positions in the venue file are wrong"
  }
}

extension VenueArea {
  /// Returns the place or the level that none of these venues has, in words; nil if one has it, and for a whole venue.
  fileprivate func missingPart(in venues: [Venue]) -> String? {
    let venues = venues.filter { venue == nil || $0.id == venue }
    switch part {
    case .place(let id): return venues.contains { $0.places.contains { $0.id == id } } ? nil : "place \(id)"
    case .level(let id): return venues.contains { $0.level(id) != nil } ? nil : "level \(id)"
    case .whole: return nil
    }
  }
}

extension CircleWatch {
  fileprivate func note(_ fix: Fix?) -> String? {
    guard let fix else { return state == .unknown ? "no location source has a fix; see [location] in the config" : nil }
    let (accuracy, radius) = (whole(fix.accuracy), whole(region.circle.radius))
    if fix.accuracy > region.circle.radius {
      return
        "fixes of ± \(accuracy) m are too inaccurate for a radius of \(radius) m and have no effect; increase the radius, or add a more accurate source"
    }
    if fix.accuracy > region.circle.radius / 2 {
      return "a radius of \(radius) m is small for fixes of ± \(accuracy) m; use at least \(whole(2 * fix.accuracy)) m"
    }
    guard state == .unknown else { return nil }
    guard isGoingIn else { return "the device is too near the boundary to decide" }
    return "the device is inside; the enter follows after \(CircularRegion.hold.text)"
  }

  private func whole(_ metres: Double) -> String { Decimal.text(metres.rounded(.up), decimals: 0) ?? "many" }
}
