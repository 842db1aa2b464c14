import Instants
import Records
import Terminal
import Testing

@Suite struct StatusTextTests {
  func lines(_ regions: [Record]) -> [Substring] {
    StatusText(style: plain).text(manager: Record(["version": .text("1"), "source": .text("capture:x")]), adapters: [], regions: regions)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  func region(_ identifier: String, note: String? = nil) -> Record {
    Record([
      "identifier": .text(identifier), "state": .text("inside"), "since": .time(Instant(microseconds: 0)), "note": note.map { .text($0) },
    ])
  }

  @Test(arguments: ["w", "region", "a longer name"])
  func `the states are aligned below their title for identifiers of any length`(identifier: String) throws {
    let table = lines([region(identifier)]).suffix(2)
    let header = try #require(table.first)
    let column = try #require(header.firstRange(of: "state")).lowerBound
    #expect(table.last?.dropFirst(header.distance(from: header.startIndex, to: column)).hasPrefix("inside") == true)
  }

  @Test func `a circle shows the distance to its boundary, in a table with beacon regions`() {
    var (shop, mall) = (region("shop"), region("mall"))
    shop.append("radius", .metres(150))
    shop.append("boundaryDistance", .metres(-35.2))
    mall.append("radius", .metres(150))
    let door = Record([
      "identifier": .text("door"), "state": .text("inside"), "since": .time(Instant(microseconds: 0)),
      "beacon": .record(Record(["major": .short(1), "minor": .short(5)])),
    ])
    func table(_ regions: [Record], isMetric: Bool = true) -> [Substring] {
      StatusText(style: plain, units: Units(isMetric: isMetric)).text(manager: Record(), adapters: [], regions: regions)
        .split(separator: "\n").suffix(regions.count + 1)
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
    region.append("flaps", .count(12))
    #expect(lines([region]).last?.hasPrefix("hall") == true)
    region.append("advice", .text("exit-delay = \"55s\""))
    region.append("learnedExitDelay", .text("40s"))
    #expect(
      lines([region]).suffix(2) == [
        "  needlessly left and entered again 12 times since yesterday; use exit-delay = \"55s\"",
        "  has learned an exit delay of 40s",
      ])
  }

  @Test(
    arguments: [
      ((0, 0, 0), nil), ((1, 1, 0), "registered 1 region of 1 app"), ((3, 2, 1), "registered 3 regions of 2 apps, 1 idle: not permitted"),
    ] as [((UInt64, UInt64, UInt64), String?)])
  func `the registrations of apps are one line, if there are any`(counts: (UInt64, UInt64, UInt64), line: String?) {
    let registrations = Record(["regions": .count(counts.0), "apps": .count(counts.1), "idle": .count(counts.2)])
    let text = StatusText(style: plain).text(
      manager: Record(["version": .text("1"), "source": .text("capture:x"), "registrations": .record(registrations)]), adapters: [],
      regions: [])
    #expect(text.split(separator: "\n").first { $0.hasPrefix("registered") }.map(String.init) == line)
  }

  @Test func `the location, its sources and their switches are shown if there is a source`() {
    let sources = [
      Record([
        "source": .text("gpsd"), "state": .text("fixing"), "isOn": .flag(true), "fixes": .count(120),
        "refused": .record(Record(["ahead": .count(2)])),
      ]),
      Record([
        "source": .text("nmea"), "state": .text("gone"), "isOn": .flag(false), "fixes": .count(0), "note": .text("plug it in"),
        "refused": .record(Record()),
        "lines": .record(Record(["used": .count(7), "malformed": .record(Record(["length": .count(1), "checksum": .count(3)]))])),
      ]),
    ]
    let switched = Record([
      "time": .time(Instant(microseconds: 0)), "source": .text("gpsd"), "isOn": .flag(true),
      "reason": .text("the best accuracy is requested"),
    ])
    let place = Record([
      "latitude": .quantity(52.5, decimals: 7), "longitude": .quantity(13.4, decimals: 7), "horizontalAccuracy": .metres(4.84),
      "age": .quantity(0.31, decimals: 3), "source": .text("gpsd"),
    ])
    let text = StatusText(style: plain, units: Units(isMetric: true)).text(
      manager: Record([
        "version": .text("1"), "location": .record(place), "locationSources": .list(sources), "locationSwitches": .list([switched]),
      ]), adapters: [], regions: [])
    #expect(
      text.split(separator: "\n").dropFirst(2).prefix(5) == [
        "location   52.5000000, 13.4000000  ± 4.8 m, from gpsd, 0.3 s old", "           gpsd: fixing, 120 fixes, refused: 2 ahead",
        "           nmea: gone, malformed: 1 length, 3 checksum",
        "           plug it in", "           1970-01-01 00:00:00Z gpsd on: the best accuracy is requested",
      ])
  }

  @Test func `a heading is shown below its source`() {
    let heading = Record(["trueHeading": .quantity(94, decimals: 1), "magneticHeading": .quantity(101.1, decimals: 1)])
    let source = Record(["source": .text("nmea"), "state": .text("fixing"), "isOn": .flag(true), "heading": .record(heading)])
    let text = StatusText(style: plain).text(manager: Record(["locationSources": .list([source])]), adapters: [], regions: [])
    #expect(text.contains("\n           nmea: fixing\n           compass 94.0° true, 101.1° magnetic\n"))
  }

  @Test func `disabled location services are shown`() {
    let source = Record(["source": .text("fixed"), "state": .text("off"), "isOn": .flag(false)])
    let text = StatusText(style: plain).text(
      manager: Record(["locationSources": .list([source]), "locationServicesEnabled": .flag(false)]), adapters: [], regions: [])
    #expect(text.contains("\nlocation   off; \"beaconmon privacy on\" switches location services on\n"))
  }

  @Test func `trouble with the file of decisions is shown`() {
    let text = StatusText(style: plain).text(manager: Record(["consentNote": .text("it cannot be read")]), adapters: [], regions: [])
    #expect(text.contains("\nconsent    it cannot be read\n"))
  }

  @Test func `the obstacle of a region is shown below it`() {
    #expect(lines([region("hall", note: "no distance")]).last == "  no distance")
  }

  @Test(
    arguments: [
      (["source": "auto", "sourceChoice": "bluez", "sourceState": "scanning"], "auto: bluez, scanning"),
      (["source": "capture:walk.btsnoop", "sourceState": "paused"], "capture:walk.btsnoop, ended"),
      (["source": "hci", "sourceState": "paused"], "hci, about to scan"),
      (["source": "hci", "sourceState": "paused", "sourceNote": "scanning paused since"], "hci, paused"),
      (["source": "hci", "sourceState": "idle"], "hci, idle: no region or session needs beacons"),
      (["source": "bluez", "sourceState": "gone"], "bluez, unavailable"),
    ] as [([String: String], String)])
  func `the state of the source is shown in words`(properties: [String: String], text: String) {
    #expect(StatusText.source(record(properties)) == text)
  }

  @Test(
    arguments: [
      (["source": "bluez", "sourceState": "gone", "sourceNote": "plug one in"], "bluez, unavailable): plug one in", true),
      (["source": "bluez", "sourceState": "gone"], "bluez, unavailable): see \"beaconmon status\"", false),
      (["source": "capture:w", "sourceState": "paused"], "capture:w, ended): restart beaconmond to play it again", true),
    ] as [([String: String], String, Bool)])
  func `a daemon that cannot scan is shown with the advice of status`(properties: [String: String], text: String, isExplained: Bool) {
    let obstacle = StatusText.hearingObstacle(manager: record(properties), adapters: [])
    #expect(obstacle?.text == "beaconmond cannot receive beacons (source \(text)")
    #expect(obstacle?.isExplained == isExplained)
  }

  @Test func `trouble of the adapters is the advice if the source has none`() {
    let off = record(["address": "00:1A:7D:DA:71:13", "state": "off", "note": "switch it on"])
    let obstacle = StatusText.hearingObstacle(manager: record(["source": "hci", "sourceState": "gone"]), adapters: [off])
    #expect(obstacle?.text == "beaconmond cannot receive beacons (source hci, unavailable): 00:1A:7D:DA:71:13 is off: switch it on")
  }

  @Test(arguments: ["scanning", "paused", "idle", "none"])
  func `a source that scans, starts or has no demand is not an obstacle`(state: String) {
    #expect(StatusText.hearingObstacle(manager: record(["source": "hci", "sourceState": state]), adapters: []) == nil)
  }

  @Test func `the reason for the choice of a source and its trouble are shown below it`() {
    let manager = record(["source": "auto", "sourceChoice": "bluez", "sourceReason": "no packets", "sourceNote": "start bluetoothd"])
    let text = StatusText(style: plain).text(manager: manager, adapters: [], regions: [])
    #expect(text.contains("\nwhy        no packets\n           start bluetoothd\n"))
  }

  @Test func `an adapter is shown with its offset, and its trouble below it`() {
    let adapters = [
      Record([
        "address": .text("00:1A:7D:DA:71:13"), "name": .text("hci0"), "state": .text("scanning"), "since": .time(Instant(microseconds: 0)),
        "reportsPerSecond": .quantity(12.3, decimals: 1), "rssiOffset": .quantity(3, decimals: 1),
      ]),
      Record([
        "address": .text("B0:EC:AC:00:00:00"), "state": .text("gone"), "since": .time(Instant(microseconds: 0)),
        "reportsPerSecond": .quantity(0, decimals: 1), "rssiOffset": .quantity(0, decimals: 1), "note": .text("it is not plugged in"),
        "lastReport": .time(Instant(microseconds: 90_000_000)),
      ]),
    ]
    let text = StatusText(style: plain).text(manager: Record(), adapters: adapters, regions: [])
    #expect(
      text.contains(
        """

        adapter    00:1A:7D:DA:71:13 hci0, scanning since 1970-01-01 00:00:00Z, 12.3 reports/s, RSSI +3.0 dB
        adapter    B0:EC:AC:00:00:00, gone since 1970-01-01 00:00:00Z, last report 1970-01-01 00:01:30Z
                   it is not plugged in

        """))
  }

  @Test(arguments: [nil, 12] as [UInt64?])
  func `malformed packets are counted in total, and losses are shown`(lost: UInt64?) {
    let statistics = Record([
      "advertisements": .count(7), "iBeacons": .count(5), "kinds": .record(Record(["malformed": .count(1)])),
      "malformed": .record(Record(["eventLength": .count(40), "structureOverrun": .count(2)])), "lostPackets": lost.map { .count($0) },
    ])
    let text = StatusText(style: plain).text(manager: Record(["statistics": .record(statistics)]), adapters: [], regions: [])
    #expect(text.contains("\nheard      7 advertisements, 5 iBeacons, 42 malformed\(lost == nil ? "" : ", 12 packets lost")\n"))
  }

  func record(_ texts: [String: String]) -> Record {
    var record = Record()
    for (key, text) in texts { record.append(key, .text(text)) }
    return record
  }
}
