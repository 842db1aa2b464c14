import Events
import Instants
import Locations
import RadioHealth
import Records
import Status
import TestSupport
import Testing

@testable import Terminal

/// Output fits a window of any size.
@Suite struct WindowTests {
  private static let names = [
    "door", "展示室 十一番 特別展示", "e\u{301}cole du centre ville, cour", "a name of one hundred columns " + String(repeating: "x", count: 70),
  ]

  private static func event(_ region: String, cause: String, at seconds: Double = 0) -> Event {
    Event.of([
      "sequence": .count(42), "event": .text("enter"), "region": .text(region), "kind": .text("beacon"),
      "time": .time(start + .seconds(seconds)),
      "state": .text("inside"), "beacon": .record(Record(["uuid": .text(galleryUUID), "major": .short(65535), "minor": .short(65535)])),
      "rssi": .rssi(-78.2), "distance": .metres(49.64), "accuracy": .metres(37.2), "proximity": .text("far"),
      "reason": .record(Record(["cause": .text(cause), "lastSeenAge": .quantity(30, decimals: 3), "threshold": .metres(3)])),
      "journal": .text("J"),
    ])
  }

  private static let events = names.flatMap { name in ["silence", "approach", "receiverLost"].map { event(name, cause: $0) } }

  @Test(arguments: [2, 5, 17, 21, 22, 30, 40, 60, 79, 80, 99, 100, 120, 200])
  func `no line of events is wider than the window`(width: Int) {
    for style in [plain, ascii] {
      var list = EventList(style: style, regionWidth: 40)
      for event in Self.events {
        let lines = list.entry(event, width: width).lines
        #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
      }
    }
  }

  @Test(arguments: [20, 40, 60, 80, 120])
  func `no line of an explanation or of the status is wider than the window`(width: Int) {
    let explanation = EventExplanation(style: plain, width: width)
      .text(Self.events[0], earlier: Array(Self.events.dropFirst().prefix(5)), later: [])
    #expect(explanation.split(separator: "\n").allSatisfy { String($0).columns <= width }, "\(explanation)")
    let regions = Self.names.map { name in
      var region = RegionStatus()
      (region.identifier, region.learnedExitDelay) = (name, .seconds(40))
      region.report = RegionReport(
        .inside,
        note:
          "fixes of ± 120 m are too inaccurate for a radius of 100 m and have no effect; increase the radius, or add a more accurate source"
      )
      (region.report.since, region.report.lastSeen, region.report.beacon) = (start, start, beacon(65535, 65535))
      return region
    }
    var manager = MonitorStatus()
    (manager.version, manager.regions) = ("0.1.0", regions)
    manager.source = SourceStatus(
      name: "capture:/home/installer/recordings/gallery-rectangular_without_rotation.btsnoop", state: .scanning)
    (manager.journal.name, manager.journal.lastSequence) = ("d526654e-fde4-41ee-8530-2f373ee8cdb8", 17)
    let status = StatusText(style: plain, width: width).text(manager)
    #expect(status.split(separator: "\n").allSatisfy { String($0).columns <= width }, "\(status)")
  }

  @Test func `columns stay aligned for names of any script, and truncated names end with an ellipsis`() {
    var list = EventList(style: plain, regionWidth: 22)
    var lines: [String] = []
    for name in Self.names { lines += list.entry(Self.event(name, cause: "silence"), width: 80).lines.filter { $0.contains("enter") } }
    let columns = lines.map { (line: String) -> Int? in line.firstRange(of: "65535/65535").map { String(line[..<$0.lowerBound]).columns } }
    #expect(columns.count == 4 && Set(columns).count == 1 && columns[0] != nil, "\(lines)")
    #expect(lines.map { $0.contains("…") } == [false, true, true, true])
  }

  @Test func `a narrow window shows the time of day, and the date above the first event of each day`() {
    let short = Event.of([
      "event": .text("exit"), "region": .text("entrance"), "kind": .text("beacon"), "time": .time(start), "distance": .metres(2.314),
      "accuracy": .metres(1.234), "beacon": .record(Record(["uuid": .text(galleryUUID), "major": .short(1), "minor": .short(5)])),
      "reason": .record(Record(["cause": .text("silence"), "lastSeenAge": .quantity(30, decimals: 3)])),
    ])
    var tomorrow = short
    tomorrow.time = start + .seconds(86_400)
    func text(_ width: Int) -> String {
      var list = EventList(style: plain, time: .fixed(.seconds(3600)))
      return [short, short, tomorrow].map { list.text($0, width: width) }.joined()
    }
    #expect(
      text(80) == """
        2020-02-09
        13:44:44  exit   entrance          1/5     2.3 m ± 1.2  silence: last seen
                                                                30.0 s before
        13:44:44  exit   entrance          1/5     2.3 m ± 1.2  silence: last seen
                                                                30.0 s before
        2020-02-10
        13:44:44  exit   entrance          1/5     2.3 m ± 1.2  silence: last seen
                                                                30.0 s before

        """)
    #expect(
      text(60).hasPrefix(
        """
        2020-02-09
        13:44:44  exit   entrance          1/5     2.3 m ± 1.2
                  silence: last seen 30.0 s before

        """))
    #expect(
      text(120).hasPrefix(
        "2020-02-09 13:44:44.779  exit   entrance          1/5     2.3 m ± 1.2  silence: last seen 30.0 s before\n2020-02-09 13:"))
  }

  @Test func `a track omits its last columns if they do not fit`() {
    var fix = LocationReport()
    (fix.latitude, fix.longitude, fix.horizontalAccuracy) = (52.5200066, 13.404954, 4.84)
    (fix.speed, fix.course, fix.time, fix.source) = (1.4, 87.2, start, "gpsd")
    func lines(_ width: Int?) -> [Substring] {
      var list = TrackList(style: plain, units: Units(isMetric: true))
      return list.line(fix, width: width).split(separator: "\n")
    }
    #expect(lines(80) == ["2020-02-09", "12:44:44Z  52.5200066, 13.4049540     ± 4.8 m       5.0 km/h    87°  gpsd"])
    #expect(lines(60) == ["2020-02-09", "12:44:44Z  52.5200066, 13.4049540     ± 4.8 m       5.0 km/h"])
    #expect(lines(40) == ["2020-02-09", "12:44:44Z  52.5200066, 13.4049540"])
    #expect(lines(nil) == ["2020-02-09 12:44:44.779Z  52.5200066, 13.4049540     ± 4.8 m       5.0 km/h    87°  gpsd"])
  }

  @Test func `a purpose is wrapped inside its column of the consent table`() {
    var use = PrivacyStatus.Use()
    (use.claim.userName, use.claim.appID) = ("anna", "org.example.Guide")
    use.claim.purpose = "Greets you where you are and shows the exhibit that you stand at"
    (use.began, use.inUse) = (start, true)
    var status = PrivacyStatus()
    status.uses = [use]
    let text = PrivacyText(style: plain, width: 80).text(status)
    #expect(text.split(separator: "\n").allSatisfy { String($0).columns <= 80 }, "\(text)")
    #expect(
      text.contains(
        """
        In use now
          user  app                since                 purpose
          anna  org.example.Guide  2020-02-09 12:44:44Z  Greets you where you are and
                                                         shows the exhibit that you
                                                         stand at
        """))
  }
}
