import BeaconAdvertising
import Beacons
import Consent
import Events
import Instants
import Locations
import RadioHealth
import Ranging
import Records
import ShareReports
import Status

/// Values with every property set, which no daemon would report together.
enum Samples {
  static let time = Instant(microseconds: 1_581_252_284_779_766)
  static let uuid = BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d)
  static let address = BluetoothAddress("00:1A:7D:DA:71:13")

  static var location: LocationReport {
    var location = LocationReport()
    (location.latitude, location.longitude) = (48.1, -11.5)
    (location.altitude, location.ellipsoidalAltitude) = (520.25, 567)
    (location.horizontalAccuracy, location.verticalAccuracy) = (8, 12.5)
    (location.speed, location.speedAccuracy, location.course, location.courseAccuracy) = (1.25, 0.5, 87.5, 3)
    (location.floor, location.time, location.age, location.source) = (-1, time, 0.25, "gpsd")
    (location.description, location.place, location.placeID) = ("Lodestone, Ground floor, Gallery", "Lodestone", "lodestone")
    (location.level, location.levelName, location.venue, location.venueName) = ("ground", "Ground floor", "gallery", "Gallery")
    (location.address.name, location.address.thoroughfare, location.address.subThoroughfare) = ("Neues Rathaus", "Marienplatz", "8")
    (location.address.locality, location.address.subLocality, location.address.postalCode) = ("München", "Altstadt", "80331")
    (location.address.administrativeArea, location.address.subAdministrativeArea) = ("Bayern", "Oberbayern")
    (location.address.country, location.address.isoCountryCode) = ("Deutschland", "DE")
    return location
  }

  static var ownShare: OwnShareReport {
    var share = OwnShareReport()
    (share.id, share.purpose, share.begins, share.ends, share.user) = ("6f0c", "Tour", time, time, 1000)
    var recipient = OwnShareReport.Recipient()
    (recipient.name, recipient.state) = ("role:operator", "accepted")
    (share.recipients, share.isSending) = ([recipient], true)
    return share
  }

  static var friend: FriendReport.Values {
    var friend = FriendReport.Values()
    (friend.id, friend.owner, friend.tag, friend.purpose, friend.ends) = ("6f0c", "ada", "badge 7", "Lunch", time)
    (friend.state, friend.latitude, friend.longitude, friend.horizontalAccuracy) = ("accepted", 48.1, -11.5, 8.25)
    (friend.floor, friend.level, friend.venue, friend.description) = (-1, "ground", "gallery", "Gallery, Ground floor")
    (friend.room, friend.time) = ("Lodestone", time)
    return friend
  }

  static var lines: LineStatistics {
    var lines = LineStatistics(used: 120, unused: 7, malformed: ["length": 1, "checksum": 3])
    (lines.untimed, lines.limited) = (2, 4)
    return lines
  }

  static var heading: HeadingReport {
    var heading = HeadingReport()
    (heading.trueHeading, heading.magneticHeading, heading.variation, heading.age) = (94, 90.5, 3.5, 0.125)
    return heading
  }

  static var geocoding: GeocodingStatus {
    var geocoding = GeocodingStatus()
    (geocoding.server, geocoding.state) = ("https://nominatim.example.org", .failing)
    (geocoding.answers, geocoding.known, geocoding.note) = (12, 34, "HTTP status 503; asks again after 10 s")
    return geocoding
  }

  static var locationSource: LocationSourceStatus {
    var counts = LocationCounts()
    (counts.fixes, counts.stale, counts.late, counts.lines) = (120, 1, 2, lines)
    counts.refused.count(.ahead)
    return LocationSourceStatus(Location.Source("nmea"), LocationHealth(.silent, "plug it in"), isOn: true, counts, heading: heading)
  }

  static var headingSource: HeadingSourceStatus {
    var source = HeadingSourceStatus()
    (source.source, source.state, source.device, source.note) = ("iio", .disturbed, "bmc150_magn", "move the magnet away")
    (source.samples, source.refused, source.calibrated, source.residual) = (1200, ["saturated": 2], time, 0.41)
    return source
  }

  static var statistics: AdvertisementStatistics {
    var statistics = AdvertisementStatistics()
    (statistics.advertisements, statistics.iBeacons, statistics.altBeacons) = (7, 5, 1)
    (statistics.kinds, statistics.malformed) = (["iBeacon": 5, "apple": 2], ["eventLength": 40])
    (statistics.joinedFragments, statistics.droppedFragments) = (1, 2)
    (statistics.heldTimes, statistics.lostPackets) = (3, 4)
    return statistics
  }

  static var source: SourceStatus {
    var source = SourceStatus(name: "auto", choice: "bluez", state: .nothing, note: "start bluetoothd")
    (source.reason, source.hasEnded, source.statistics) = ("no packets", true, statistics)
    source.pausedSince = time
    return source
  }

  static var journal: JournalStatus {
    var journal = JournalStatus()
    (journal.name, journal.lastSequence, journal.isDurable) = ("3f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11", 42, false)
    (journal.note, journal.damagedEvents) = ("the disk is full", 3)
    return journal
  }

  static var advertised: AdvertisedBeacon {
    var beacon = AdvertisedBeacon()
    (beacon.uuid, beacon.major, beacon.minor, beacon.measuredPower) = (uuid, 1, 65_535, -59)
    (beacon.state, beacon.adapter, beacon.note, beacon.since) = (.advertising, address, "slower than requested", time)
    return beacon
  }

  static var locationServices: LocationServicesStatus {
    var services = LocationServicesStatus()
    (services.isEnabled, services.note) = (false, "it cannot be read")
    return services
  }

  static var adapter: AdapterStatus {
    var adapter = AdapterStatus()
    (adapter.address, adapter.name, adapter.state, adapter.since) = (address, "hci0", .scanning, time)
    (adapter.reportsPerSecond, adapter.lastReport, adapter.note, adapter.rssiOffset) = (12.5, time, "slow", -3.5)
    return adapter
  }

  static var beacon: BeaconReport {
    var beacon = BeaconReport()
    (beacon.uuid, beacon.major, beacon.minor, beacon.proximity) = (uuid, 1, 5, .near)
    (beacon.distance, beacon.accuracy, beacon.rssi, beacon.rate, beacon.lastSeen) = (2.25, 1.5, -61.5, 9.5, time)
    beacon.distanceMethod = .bayesian
    (beacon.place, beacon.placeID) = ("Lodestone", "lodestone")
    (beacon.battery, beacon.temperature) = (2.95, 21.5)
    return beacon
  }

  static var scan: ScanReport {
    var scan = ScanReport()
    (scan.time, scan.since, scan.uuids, scan.kinds) = (time, time, [scanGroup], ["iBeacon": 5, "apple": 2])
    (scan.uuidCount, scan.beaconCount, scan.forgotten, scan.unlisted, scan.advertisements) = (40, 18, 7, 123, 900)
    return scan
  }

  static var scanGroup: ScanReport.Group {
    var group = ScanReport.Group()
    (group.uuid, group.count, group.rssi, group.distance, group.rate) = (uuid, 18, -61.5, 1.25, 84.5)
    (group.lastSeen, group.beacons) = (time, [scanBeacon])
    return group
  }

  static var scanBeacon: ScanReport.Beacon {
    var beacon = ScanReport.Beacon()
    (beacon.major, beacon.minor, beacon.rssi, beacon.distance, beacon.rate, beacon.lastSeen) = (1, 5, -61.5, 1.25, 9.5, time)
    return beacon
  }

  static var report: RegionReport {
    var report = RegionReport(.inside, note: "no distance")
    (report.since, report.beacon, report.lastSeen) = (time, Event.Beacon(BeaconIdentity(uuid: uuid, major: 1, minor: 5)), time)
    report.location = Event.Location(latitude: 48.1, longitude: 11.5)
    report.location?.horizontalAccuracy = 8
    report.location?.speed = 1.25
    (report.fixTime, report.boundaryDistance) = (time, -35.25)
    return report
  }

  static var region: RegionStatus {
    var region = RegionStatus()
    (region.identifier, region.kind, region.report) = ("hall", .beacon, report)
    (region.flaps, region.advice) = (12, "exit-delay = \"55s\"")
    (region.uuid, region.major, region.minor) = (uuid, 1, 5)
    (region.exitDelay, region.learnsExitDelay, region.learnedExitDelay) = (.seconds(30), true, .seconds(84))
    (region.within, region.leaveBeyond, region.hold, region.minimumRSSI) = (2, 3.5, .seconds(2), -80.5)
    region.nearestOnly = true
    (region.enterSightings, region.enterTime, region.dwell, region.assume) = (3, .seconds(10), .seconds(120), .outside)
    (region.notifyOnEntry, region.notifyOnExit) = (true, false)
    (region.latitude, region.longitude, region.radius) = (48.1, 11.5, 150)
    (region.scanOnlyNear, region.scanOnlyBelow) = (true, 8.5)
    (region.place, region.level, region.venue) = ("room-5", "ground", "gallery")
    return region
  }

  static var monitor: MonitorStatus {
    var status = MonitorStatus()
    status.version = "1.0"
    status.refusedReload = MonitorStatus.RefusedReload(time: time, reason: "unknown key")
    status.configuration = MonitorStatus.Configuration(
      files: ["/etc/beaconmon/beaconmon.toml", "/etc/beaconmon/conf.d/50-site.toml"], time: time, digest: "1f", needsRestart: true,
      note: "renamed key", rollout: 7, rolloutNote: "rollout 8:1: web")
    (status.source, status.journal, status.locationServices) = (source, journal, locationServices)
    status.registrations = RegistrationCounts(regions: 3, apps: 2, idle: 1)
    (status.advertisements, status.location, status.locationSources) = ([advertised], location, [locationSource])
    var receiver = VenueStatus.Receiver()
    (receiver.adapter, receiver.offset, receiver.beacons, receiver.seconds, receiver.since) = ("00:1A:7D:DA:71:13", -4.2, 12, 321, time)
    receiver.note = "the rssi-offset does not fit"
    var suggestion = VenueStatus.Beacon()
    (suggestion.uuid, suggestion.major, suggestion.minor) = (BeaconUUID(high: 1, low: 2), 1, 7)
    (suggestion.rssiOffset, suggestion.rssiOffsetAccuracy) = (6.4, 1.1)
    (receiver.missingSeconds, receiver.suggestedOffset, receiver.suggestedOffsetAccuracy) = (37, 5.9, 1.4)
    (receiver.suggestedBeacons, receiver.refused) = ([suggestion], 2)
    var venue = VenueStatus()
    (venue.venue, venue.note, venue.receivers) = ("gallery", "beacon 1/3 seems to hang elsewhere", [receiver])
    status.venues = [venue]
    status.geocoding = geocoding
    var appointment = AppointmentStatus()
    (appointment.title, appointment.time, appointment.place, appointment.placeID) = ("Tour", time, "Lodestone", "lodestone")
    (appointment.venue, appointment.calendar, appointment.state) = ("gallery", "/etc/beaconmon/tour.ics", .waiting)
    appointment.leaveIn = .seconds(720)
    (appointment.leaveTime, appointment.travelTime, appointment.note) = (time, .seconds(90), "the position is unknown")
    status.appointments = [appointment]
    (status.beacons, status.beaconNote) = ([expectedBeacon], "many expected beacons fell silent at once")
    status.headingSources = [headingSource]
    status.missingCapabilities = [MissingCapability(.gps, "no satellite receiver is configured")]
    status.locationSwitches = [LocationSwitch(time: time, source: "gpsd", isOn: true, reason: "the best accuracy is requested")]
    (status.adapters, status.regions) = ([adapter], [region])
    return status
  }

  static var expectedBeacon: BeaconStatus {
    var problem = BeaconStatus.Problem()
    (problem.event, problem.since, problem.cause) = (.beaconMissing, time, .silence)
    var beacon = BeaconStatus()
    (beacon.uuid, beacon.major, beacon.minor, beacon.place) = (uuid, 1, 5, "Lodestone")
    (beacon.problems, beacon.isLearned, beacon.lastSeen, beacon.longestGap) = ([problem], true, time, .seconds(95))
    (beacon.rssi, beacon.usualRSSI, beacon.battery, beacon.temperature) = (-61.5, -60.5, 2.95, 21.5)
    return beacon
  }

  static var claim: PrivacyStatus.Claim {
    var claim = PrivacyStatus.Claim()
    (claim.user, claim.userName, claim.appID, claim.purpose) = (1000, "anna", "org.example.Guide", "Greets you")
    return claim
  }

  static var decision: PrivacyStatus.Decision {
    var decision = PrivacyStatus.Decision()
    (decision.kind, decision.number, decision.name) = (.group, 50, "staff")
    (decision.authorization, decision.decidedBy, decision.time) = (.whenInUse, .polkit, time)
    return decision
  }

  static var request: PrivacyStatus.Request {
    var request = PrivacyStatus.Request()
    (request.claim, request.authorization, request.time) = (claim, .notDetermined, time)
    return request
  }

  static var use: PrivacyStatus.Use {
    var use = PrivacyStatus.Use()
    (use.claim, use.began, use.ended, use.inUse) = (claim, time, time, false)
    return use
  }

  static var registration: PrivacyStatus.Registration {
    var registration = PrivacyStatus.Registration()
    (registration.claim, registration.identifier, registration.time, registration.isIdle) = (claim, "desk", time, true)
    return registration
  }

  static var privacy: PrivacyStatus {
    var status = PrivacyStatus()
    status.locationServices = locationServices
    (status.decisions, status.requests, status.uses, status.registrations) = ([decision], [request], [use], [registration])
    return status
  }
}
