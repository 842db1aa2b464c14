import BeaconAdvertising
import Beacons
import Events
import Instants
import Locations
import RadioHealth
import Records
import Status
import Terminal
import Testing

/// Returns a beacon of a region's report.
func beacon(_ major: UInt16, _ minor: UInt16) -> Event.Beacon {
  Event.Beacon(BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: major, minor: minor))
}

@Suite struct StatusTextTests {
  func text(_ set: (inout MonitorStatus) -> Void) -> String {
    var status = MonitorStatus()
    set(&status)
    return StatusText(style: plain, units: Units(isMetric: true)).text(status)
  }

  func lines(_ regions: [RegionStatus]) -> [Substring] {
    text { $0.regions = regions }.split(separator: "\n", omittingEmptySubsequences: false)
  }

  func region(_ identifier: String, note: String? = nil) -> RegionStatus {
    var region = RegionStatus()
    (region.identifier, region.report) = (identifier, RegionReport(.inside, note: note))
    region.report.since = Instant(microseconds: 0)
    return region
  }

  @Test(arguments: ["w", "region", "a longer name"])
  func `the states are aligned below their title for identifiers of any length`(identifier: String) throws {
    let table = lines([region(identifier)]).suffix(2)
    let header = try #require(table.first)
    let column = try #require(header.firstRange(of: "state")).lowerBound
    #expect(table.last?.dropFirst(header.distance(from: header.startIndex, to: column)).hasPrefix("inside") == true)
  }

  @Test func `a circle shows the distance to its boundary, in a table with beacon regions`() {
    var (shop, mall, door) = (region("shop"), region("mall"), region("door"))
    (shop.radius, shop.report.boundaryDistance, mall.radius) = (150, -35.2, 150)
    door.report.beacon = beacon(1, 5)
    func table(_ regions: [RegionStatus], isMetric: Bool = true) -> [String] {
      StatusText(style: plain, units: Units(isMetric: isMetric)).table(regions)
    }
    #expect(
      table([shop, mall, door]) == [
        "region  state   since                 beacon or boundary  last seen",
        "shop    inside  1970-01-01 00:00:00Z  35 m inside         –",
        "mall    inside  1970-01-01 00:00:00Z  –                   –",
        "door    inside  1970-01-01 00:00:00Z  1/5                 –",
      ])
    #expect(table([shop], isMetric: false).first == "region  state   since                 boundary       last seen")
    #expect(table([shop], isMetric: false).last?.contains("  115 ft inside  ") == true)
  }

  @Test func `flapping, its advice and learned delays are shown below the region`() {
    var region = region("hall")
    region.flaps = 12
    #expect(lines([region]).last?.hasPrefix("hall") == true)
    (region.advice, region.learnedExitDelay) = ("exit-delay = \"55s\"", .seconds(40))
    #expect(
      lines([region]).suffix(2) == [
        "  needlessly left and entered again 12 times since yesterday; use exit-delay = \"55s\"",
        "  has learned an exit delay of 40s",
      ])
  }

  @Test(
    arguments: [
      ((0, 0, 0), nil), ((1, 1, 0), "registered 1 region of 1 app"), ((3, 2, 1), "registered 3 regions of 2 apps, 1 idle: not permitted"),
    ] as [((Int, Int, Int), String?)])
  func `the registrations of apps are one line, if there are any`(counts: (Int, Int, Int), line: String?) {
    let text = text { $0.registrations = RegistrationCounts(regions: counts.0, apps: counts.1, idle: counts.2) }
    #expect(text.split(separator: "\n").first { $0.hasPrefix("registered") }.map(String.init) == line)
  }

  private func source(_ source: String, _ state: LocationHealth.State, isOn: Bool) -> LocationSourceStatus {
    LocationSourceStatus(Location.Source(source), LocationHealth(state), isOn: isOn, LocationCounts(), heading: nil)
  }

  @Test func `the location, its sources and their switches are shown if there is a source`() {
    var (gpsd, nmea) = (source("gpsd", .fixing, isOn: true), source("nmea", .gone, isOn: false))
    (gpsd.fixes, gpsd.refused) = (120, ["ahead": 2])
    (nmea.note, nmea.lines) = ("plug it in", LineStatistics(used: 7, unused: 0, malformed: ["length": 1, "checksum": 3]))
    var place = LocationReport()
    (place.latitude, place.longitude, place.horizontalAccuracy, place.age, place.source) = (52.5, 13.4, 4.84, 0.31, "gpsd")
    let text = text {
      ($0.location, $0.locationSources) = (place, [gpsd, nmea])
      $0.locationSwitches = [
        LocationSwitch(time: Instant(microseconds: 0), source: "gpsd", isOn: true, reason: "the best accuracy is requested")
      ]
    }
    #expect(
      text.split(separator: "\n").dropFirst(2).prefix(5) == [
        "location   52.5000000, 13.4000000  ± 4.8 m, from gpsd, 0.3 s old", "           gpsd: fixing, 120 fixes, refused: 2 ahead",
        "           nmea: gone, malformed: 1 length, 3 checksum",
        "           plug it in", "           1970-01-01 00:00:00Z gpsd on: the best accuracy is requested",
      ])
  }

  @Test func `a heading is shown below its source`() {
    var nmea = source("nmea", .fixing, isOn: true)
    var heading = HeadingReport()
    (heading.trueHeading, heading.magneticHeading) = (94, 101.1)
    nmea.heading = heading
    #expect(
      text { $0.locationSources = [nmea] }.contains("\n           nmea: fixing\n           compass 94.0° true, 101.1° magnetic\n"))
  }

  @Test func `each source of headings is shown with its calibration, and the remedy below it`() {
    var (sensor, proxy, receiver) = (HeadingSourceStatus(), HeadingSourceStatus(), HeadingSourceStatus())
    (sensor.source, sensor.state, sensor.device, sensor.samples) = ("iio", .disturbed, "ak8963 i2c-0", 1234)
    (sensor.calibrated, sensor.residual, sensor.refused) = (Instant(microseconds: 0), 0.44, ["zero": 2])
    (proxy.source, proxy.state, proxy.note) = ("iio-sensor-proxy", .failing, "it does not answer")
    (receiver.source, receiver.state) = ("receiver", .gone)
    #expect(
      text { $0.headingSources = [sensor, proxy, receiver] }.split(separator: "\n").filter { !$0.hasPrefix("no regions") }.dropFirst(2) == [
        "heading    iio: disturbed, ak8963 i2c-0, calibrated 1970-01-01 00:00:00Z within 0.4 µT, 1234 samples, refused: 2 zero",
        "           a magnet, iron or a current is near; move the device away from it", "           iio-sensor-proxy: failing",
        "           it does not answer",
      ])
    (sensor.state, sensor.samples, sensor.calibrated, sensor.residual, sensor.refused) = (.uncalibrated, 1, nil, nil, nil)
    let fresh = text { $0.headingSources = [sensor] }
    #expect(fresh.contains("\nheading    iio: uncalibrated, ak8963 i2c-0, 1 sample\n           turn the device in all directions; "))
    #expect(!text { $0.headingSources = [receiver] }.contains("heading"), "a machine without a compass")
  }

  @Test func `disabled location services are shown`() {
    let text = text {
      $0.locationSources = [source("fixed", .off, isOn: false)]
      $0.locationServices.isEnabled = false
    }
    #expect(text.contains("\nlocation   off; \"beaconmon privacy on\" switches location services on\n"))
  }

  @Test func `trouble with the file of decisions is shown`() {
    #expect(text { $0.locationServices.note = "it cannot be read" }.contains("\nconsent    it cannot be read\n"))
  }

  @Test func `the obstacle of a region is shown below it`() {
    #expect(lines([region("hall", note: "no distance")]).last == "  no distance")
  }

  @Test(arguments: [
    (SourceStatus(name: "auto", choice: "bluez", state: .scanning), "auto: bluez, scanning"),
    (SourceStatus(name: "capture:walk.btsnoop", state: .paused, hasEnded: true), "capture:walk.btsnoop, ended"),
    (SourceStatus(name: "capture:w", state: .paused, note: "scanning paused"), "capture:w, paused"),
    (SourceStatus(name: "hci", state: .paused), "hci, about to scan"),
    (SourceStatus(name: "hci", state: .paused, note: "scanning paused"), "hci, paused"),
    (SourceStatus(name: "hci", state: .idle), "hci, idle: no region or session needs beacons"),
    (SourceStatus(name: "bluez", state: .gone), "bluez, unavailable"),
    (SourceStatus(name: "none", state: .nothing), "none, not scanning for beacons"),
    (SourceStatus(), "no source, unknown"),
  ])
  func `the state of the source is shown in words`(source: SourceStatus, text: String) {
    #expect(StatusText.source(source) == text)
  }

  func obstacle(_ source: SourceStatus, _ adapters: AdapterStatus...) -> HearingObstacle? {
    var status = MonitorStatus()
    (status.source, status.adapters) = (source, adapters)
    return StatusText.hearingObstacle(status)
  }

  @Test(arguments: [
    (SourceStatus(name: "bluez", state: .gone, note: "plug one in"), "bluez, unavailable): plug one in", true),
    (SourceStatus(name: "bluez", state: .gone), "bluez, unavailable): see \"beaconmon status\"", false),
    (SourceStatus(name: "capture:w", state: .paused, hasEnded: true), "capture:w, ended): restart beaconmond to play it again", true),
  ])
  func `a daemon that cannot scan is shown with the advice of status`(source: SourceStatus, text: String, isExplained: Bool) {
    let obstacle = obstacle(source)
    #expect(obstacle?.text == "beaconmond cannot receive beacons (source \(text)")
    #expect(obstacle?.isExplained == isExplained)
  }

  @Test func `trouble of the adapters is the advice if the source has none`() {
    var off = AdapterStatus()
    (off.address, off.state, off.note) = (BluetoothAddress("00:1A:7D:DA:71:13"), .off, "switch it on")
    #expect(
      obstacle(SourceStatus(name: "hci", state: .gone), off)?.text
        == "beaconmond cannot receive beacons (source hci, unavailable): 00:1A:7D:DA:71:13 is off: switch it on")
  }

  @Test(arguments: [.scanning, .paused, .idle, .nothing, nil] as [SourceState?])
  func `a source that scans, starts or has no demand is not an obstacle`(state: SourceState?) {
    #expect(obstacle(SourceStatus(name: "hci", state: state)) == nil)
  }

  @Test func `the reason for the choice of a source and its trouble are shown below it`() {
    let text = text {
      $0.source = SourceStatus(name: "auto", choice: "bluez", note: "start bluetoothd")
      $0.source.reason = "no packets"
    }
    #expect(text.contains("\nwhy        no packets\n           start bluetoothd\n"))
  }

  @Test func `an adapter is shown with its offset, and its trouble below it`() {
    var (first, second) = (AdapterStatus(), AdapterStatus())
    (first.address, first.name, first.state) = (BluetoothAddress("00:1A:7D:DA:71:13"), "hci0", .scanning)
    (first.since, first.reportsPerSecond, first.rssiOffset) = (Instant(microseconds: 0), 12.3, 3)
    (second.address, second.state, second.note) = (BluetoothAddress("B0:EC:AC:00:00:00"), .gone, "it is not plugged in")
    (second.since, second.reportsPerSecond, second.rssiOffset) = (Instant(microseconds: 0), 0, -0.04)
    second.lastReport = Instant(microseconds: 90_000_000)
    #expect(
      text { $0.adapters = [first, second] }.contains(
        """

        adapter    00:1A:7D:DA:71:13 hci0, scanning since 1970-01-01 00:00:00Z, 12.3 reports/s, RSSI +3.0 dB
        adapter    B0:EC:AC:00:00:00, gone since 1970-01-01 00:00:00Z, last report 1970-01-01 00:01:30Z
                   it is not plugged in

        """))
  }

  @Test func `malformed packets are counted in total, and losses are shown`() {
    var sent = AdvertisedBeacon()
    (sent.uuid, sent.major, sent.minor, sent.measuredPower) = (BeaconUUID(high: 1, low: 2), 1, 5, -59)
    (sent.state, sent.adapter, sent.since) = (.advertising, BluetoothAddress("B0:EC:AC:00:00:00"), Instant(microseconds: 0))
    #expect(
      text { $0.advertisements = [sent] }.contains(
        "\nadvertises 00000000-0000-0001-0000-000000000002/1/5, -59 dBm at 1 m, advertising, B0:EC:AC:00:00:00, since 1970-01-01 00:00:00Z\n"
      ))
  }

  @Test func `a venue shows the learned offsets of each receiver, and warnings below`() {
    var receiver = VenueStatus.Receiver()
    (receiver.adapter, receiver.offset, receiver.beacons, receiver.seconds) = ("B0:EC:AC:00:00:00", -4.26, 12, 321)
    receiver.since = Instant(microseconds: 0)
    var (venue, silent) = (VenueStatus(), VenueStatus())
    (venue.venue, venue.note, venue.receivers) = ("gallery", "beacon 1/3 seems to hang elsewhere", [receiver])
    (silent.venue, silent.receivers) = ("shop", [])
    let shown = text { $0.venues = [venue, silent] }
    #expect(
      shown.contains(
        "\nvenue      gallery, B0:EC:AC:00:00:00 has learned -4.3 dB and 12 beacons in 321 s of walking, since 1970-01-01 00:00:00Z\n"
          + "           beacon 1/3 seems to hang elsewhere\n"), "\(shown)")
    #expect(!shown.contains("shop"))
    receiver.note = "the rssi-offset does not fit"
    venue.receivers = [receiver]
    #expect(text { $0.venues = [venue] }.contains(":00Z\n           the rssi-offset does not fit\n           beacon 1/3 seems"))
  }

  @Test func `a refused reload has its time and its reason`() {
    let text = text { $0.refusedReload = .init(time: Instant(microseconds: 0), reason: "unknown key") }
    #expect(
      text.contains(
        """

        config     reload refused at 1970-01-01 00:00:00Z; keeping the previous configuration
                   unknown key

        """))
  }

  @Test func `the drop-ins of a configuration and the advice about it are shown, and a single file is not`() {
    func shown(_ files: [String], note: String?) -> String {
      text { $0.configuration = .init(files: files, time: Instant(microseconds: 0), digest: "1f", needsRestart: false, note: note) }
    }
    #expect(!shown(["/etc/beaconmon/beaconmon.toml"], note: nil).contains("beaconmon.toml"))
    #expect(
      shown(["/etc/beaconmon/beaconmon.toml", "/etc/beaconmon/conf.d/50-site.toml"], note: "rename a key").contains(
        "\nfiles      /etc/beaconmon/beaconmon.toml, conf.d/50-site.toml\n           rename a key\n"))
  }

  @Test func `the revision of a rollout is shown, and the reason for which one is not in use`() {
    #expect(
      text {
        $0.configuration = .init(
          files: ["/b"], time: Instant(microseconds: 0), digest: "", needsRestart: false, note: nil, rollout: 7, rolloutNote: "damaged")
      }.contains("\nrollout    revision 7\n           a rollout is not in use: damaged\n"))
  }

  @Test func `the journal has its last event, its durability and its problems`() {
    let text = text {
      ($0.journal.name, $0.journal.lastSequence, $0.journal.isDurable) = ("3f0c9a52", 42, false)
      ($0.journal.damagedEvents, $0.journal.note) = (2, "the disk is full")
    }
    #expect(text.contains("\njournal    3f0c9a52, last event 42, in memory only, 2 damaged or lost\n           the disk is full\n"))
  }

  @Test(arguments: [nil, 12] as [UInt64?])
  func `all malformed advertisements are counted together, and lost packets are named`(lost: UInt64?) {
    let text = text {
      var statistics = AdvertisementStatistics()
      (statistics.advertisements, statistics.iBeacons, statistics.altBeacons, statistics.kinds) = (7, 5, 2, ["malformed": 1])
      (statistics.malformed, statistics.lostPackets) = (["eventLength": 40, "structureOverrun": 2], lost)
      $0.source.statistics = statistics
    }
    #expect(
      text.contains("\nheard      7 advertisements, 5 iBeacons, 2 AltBeacons, 42 malformed\(lost == nil ? "" : ", 12 packets lost")\n"))
  }
}
