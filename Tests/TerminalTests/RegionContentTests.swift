import Beacons
import Events
import Instants
import RadioHealth
import Records
import Status
import TestSupport
import Testing

@testable import Terminal

/// The screens of `beaconmon monitor` and `beaconmon status --watch`.
@Suite struct RegionContentTests {
  private static var status: MonitorStatus {
    var status = MonitorStatus()
    status.version = "1.2.3"
    (status.source.name, status.source.state) = ("bluez", .scanning)
    status.regions = [region("door", .inside), region("展示室 十一番", .outside)]
    return status
  }

  private static func region(_ name: String, _ state: RegionState) -> RegionStatus {
    var region = RegionStatus()
    (region.identifier, region.kind, region.report.state) = (name, .beacon, state)
    (region.report.since, region.report.lastSeen) = (start, start + .seconds(3))
    region.report.beacon = Event.Beacon(BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 7))
    return region
  }

  private static func event(_ region: String, _ kind: Event.Kind, at second: Double) -> Event {
    Event.of([
      "event": .text(kind.rawValue), "region": .text(region), "kind": .text("beacon"), "time": .time(start + .seconds(second)),
      "reason": .record(Record(["cause": .text("sighting")])),
    ])
  }

  private func screen(_ purpose: RegionContent.Purpose) -> ListScreen<RegionContent> {
    var screen = ListScreen(RegionContent(purpose, style: plain, units: Units(isMetric: true)), style: plain)
    screen.update { $0.take(Self.status, at: start + .seconds(10)) }
    return screen
  }

  @Test func `monitor shows the regions, and below them the latest events`() {
    var screen = screen(.monitor)
    #expect(
      screen.lines(size: .usual) == [
        "beaconmon monitor  12:44:54Z",
        "  region        state    since                 beacon       last seen",
        "  door          inside   2020-02-09 12:44:44Z  1/7          2020-02-09 12:44:47Z",
        "  展示室 十一…  outside  2020-02-09 12:44:44Z  1/7          2020-02-09 12:44:47Z",
        "", "no event yet",
        "2 regions  by region  ? help  q quit",
      ])
    screen.update { $0.take([Self.event("door", .enter, at: 1), Self.event("door", .exit, at: 9)], at: start + .seconds(11)) }
    #expect(
      screen.lines(size: .usual).dropFirst(5) == [
        "2020-02-09",
        "12:44:45Z  enter  door                –               –  sighting: first heard",
        "12:44:53Z  exit   door                –               –  sighting: first heard",
        "2 regions  by region  ? help  q quit",
      ])
  }

  @Test func `the screen of the status has the hub`() {
    var screen = screen(.status)
    screen.update { $0.take(Self.status, hub: HubStatus(isConnected: true, trouble: nil, hasListedShares: true), at: start) }
    #expect(screen.lines(size: .usual).contains { $0.hasPrefix("hub        connected") })
  }

  @Test func `many events leave room for the regions, the latest ones stay, and memory is limited`() {
    var screen = screen(.monitor)
    screen.update { $0.take((0..<5000).map { Self.event("door", .enter, at: Double($0)) }, at: start + .seconds(5000)) }
    let lines = screen.lines(size: .usual)
    #expect(lines.count == 23 && lines[2].hasPrefix("  door") && lines[21].hasPrefix("14:08:03Z  enter"))
  }

  @Test func `the large view of a region has its state and its own events`() {
    var screen = screen(.monitor)
    screen.update { $0.take([Self.event("door", .enter, at: 1), Self.event("other", .exit, at: 9)], at: start + .seconds(11)) }
    _ = screen.press(.enter)
    #expect(
      screen.lines(size: .usual).dropFirst() == [
        "door", "state      inside since 2020-02-09 12:44:44Z", "beacon     1/7", "last seen  2020-02-09 12:44:47Z", "", "2020-02-09",
        "12:44:45Z  enter  door                –               –  sighting: first heard",
        "Enter: list  up/down: others  ? help  q quit",
      ])
  }

  @Test func `status shows the regions, and below them the state of the daemon`() {
    var screen = screen(.status)
    let lines = screen.lines(size: .usual)
    #expect(lines[0] == "beaconmon status  bluez, scanning  12:44:54Z")
    #expect(lines.contains("beaconmond 1.2.3") && lines.contains("source     bluez, scanning"))
  }

  @Test func `an event of a region rings the bell if it is on`() {
    var screen = screen(.monitor)
    _ = screen.press(.character("b"))
    screen.update { $0.take([Self.event("door", .enter, at: 1)], at: start) }
    #expect(screen.takeBell() == true)
    screen.update { $0.take(Self.status, at: start) }
    #expect(screen.takeBell() == false)
  }
}
