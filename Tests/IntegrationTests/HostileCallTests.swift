import Foundation
import TestSupport
import Testing

/// Invalid calls get the right error by name and change nothing.
@Suite struct HostileCallTests {
  private static let large = String(repeating: "8", count: 10_000_000)

  private struct Case: CustomTestStringConvertible {
    let member: String
    let signature: String
    let arguments: [JSON]
    let error: String
    var interface = BusClient.session

    init(_ member: String, _ signature: String, _ arguments: [JSON], _ error: String, _ interface: String = BusClient.session) {
      (self.member, self.signature, self.arguments, self.error, self.interface) = (member, signature, arguments, error, interface)
    }

    var testDescription: String { "\(member)(\(signature)) → \(error)" }
  }

  private static let uuid: JSON = .text(CaptureOctets.uuid)
  private static let invalid = "org.freedesktop.DBus.Error.InvalidArgs"

  private static func ours(_ name: String) -> String { "\(BusClient.busName).Error.\(name)" }

  private static let cases: [Case] = [
    Case("CreateSession", "s", ["all"], invalid, BusClient.manager),
    Case("CreateSession", "a{sv}", [["speed": 3]], ours("InvalidOptions"), BusClient.manager),
    Case("CreateSession", "a{sv}", [[large: 3]], ours("InvalidOptions"), BusClient.manager),
    Case("StartRanging", "as", [["all"]], invalid),
    Case("StartRanging", "a{sv}", [["uuid": .text(large)]], ours("InvalidConstraint")),
    Case("StartRanging", "a{sv}", [[large: uuid]], ours("InvalidConstraint")),
    Case("StartRanging", "a{sv}", [["uuid": "g0000000-0000-0000-0000-000000000000"]], ours("InvalidConstraint")),
    Case("StartRanging", "a{sv}", [["uuid": uuid, "major": -1]], ours("InvalidConstraint")),
    Case("StopRanging", "a{sv}", [["uuid": .text(large)]], ours("InvalidConstraint")),
    Case("StopRanging", "a{sv}", [["uuid": "00000000-0000-0000-0000-000000000000"]], ours("NotRanging")),
    Case("StartMonitoring", "", [], invalid),
    Case("StartMonitoring", "a{sv}", [[:]], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [["identifier": .text(large), "uuid": uuid]], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [["identifier": "a", "uuid": .text(large)]], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [["identifier": "a", "uuid": uuid, "dwell": .text(large + "s")]], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [["identifier": "a", "uuid": uuid, large: 1]], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [["identifier": 7, "uuid": uuid]], invalid),
    Case("StartMonitoring", "a{sv}", [["identifier": "a", "uuid": uuid, "within": -1000.5]], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [["identifier": "a", "uuid": uuid, "latitude": 91]], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["latitude": .number(.nan)])], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["latitude": 91])], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["longitude": .number(.infinity)])], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["longitude": .number(-.infinity)])], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["radius": 0])], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["radius": -5])], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["radius": 30_000_000])], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["radius": .number(.nan)])], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["radius": "wide"])], invalid),
    Case("StartMonitoring", "a{sv}", [circle(["radius": [1, 2]])], invalid),
    Case("StartMonitoring", "a{sv}", [circle(["latitude": .text(large)])], invalid),
    Case("StartMonitoring", "a{sv}", [circle(["uuid": uuid])], ours("InvalidRegion")),
    Case("StartMonitoring", "a{sv}", [circle(["within": 3])], ours("InvalidRegion")),
    // The circle would pause the scan for all users.
    Case("StartMonitoring", "a{sv}", [circle(["scanOnlyNear": true])], ours("InvalidRegion")),
    Case("RegisterRegion", "a{sv}", [circle([:])], ours("NoAppId")),
    Case("StartUpdatingLocation", "", [], invalid),
    Case("StartUpdatingLocation", "s", ["best"], invalid),
    Case("StartUpdatingLocation", "a{sv}", [["desiredAccuracy": .number(.nan)]], ours("InvalidOptions")),
    Case("StartUpdatingLocation", "a{sv}", [["desiredAccuracy": .number(.infinity)]], ours("InvalidOptions")),
    Case("StartUpdatingLocation", "a{sv}", [["desiredAccuracy": .text(large)]], ours("InvalidOptions")),
    Case("StartUpdatingLocation", "a{sv}", [["desiredAccuracy": true]], invalid),
    Case("StartUpdatingLocation", "a{sv}", [["distanceFilter": .number(.nan)]], ours("InvalidOptions")),
    Case("StartUpdatingLocation", "a{sv}", [["distanceFilter": .number(-.infinity)]], ours("InvalidOptions")),
    Case("StartUpdatingLocation", "a{sv}", [["distanceFilter": [10]]], invalid),
    Case("StartUpdatingLocation", "a{sv}", [[large: 1]], ours("InvalidOptions")),
    Case("StopUpdatingLocation", "s", ["now"], invalid),
    Case("StopUpdatingLocation", "", [], ours("NotUpdatingLocation")),
    Case("RequestLocation", "", [], invalid),
    Case("RequestLocation", "a{sv}", [["timeout": 5]], invalid),
    Case("RequestLocation", "a{sv}", [["timeout": "0s"]], ours("InvalidOptions")),
    Case("RequestLocation", "a{sv}", [["timeout": "11m"]], ours("InvalidOptions")),
    Case("RequestLocation", "a{sv}", [["timeout": .text(large + "s")]], ours("InvalidOptions")),
    Case("RequestLocation", "a{sv}", [["desiredAccuracy": .number(-1e308)]], ours("InvalidOptions")),
    Case("RequestLocation", "a{sv}", [["distanceFilter": 10]], ours("InvalidOptions")),
    Case("SetManualLocation", "s", ["here"], invalid),
    Case("SetManualLocation", "a{sv}", [["latitude": .number(.nan), "longitude": 0]], ours("InvalidOptions")),
    Case("SetManualLocation", "a{sv}", [["latitude": 0, "longitude": .number(.infinity)]], ours("InvalidOptions")),
    Case("SetManualLocation", "a{sv}", [["latitude": 91, "longitude": 0]], ours("InvalidOptions")),
    Case("SetManualLocation", "a{sv}", [["latitude": 0, "longitude": 181]], ours("InvalidOptions")),
    Case("SetManualLocation", "a{sv}", [["latitude": "north", "longitude": 0]], invalid),
    Case("SetManualLocation", "a{sv}", [["latitude": 0, "longitude": 0, "horizontalAccuracy": .number(.nan)]], ours("InvalidOptions")),
    Case(
      "SetManualLocation", "a{sv}", [["latitude": 0, "longitude": 0, "horizontalAccuracy": .number(.infinity)]], ours("InvalidOptions")),
    Case("SetManualLocation", "a{sv}", [["latitude": 0, "longitude": 0, "altitude": 1e9]], ours("InvalidOptions")),
    Case("SetManualLocation", "a{sv}", [["latitude": 0, "longitude": 0, "floor": 1.5]], invalid),
    Case("SetManualLocation", "a{sv}", [["latitude": 0, "longitude": 0, large: 0]], ours("InvalidOptions")),
    Case("StopMonitoring", "u", [1], invalid),
    Case("StopMonitoring", "s", [.text(large)], ours("NotMonitoring")),
    Case("RequestState", "s", [.text(large)], ours("NotMonitoring")),
    Case("RequestState", "", [], invalid),
    Case("StartScanning", "b", [true], invalid),
    Case("StopScanning", "s", [""], invalid),
    Case("Close", "s", ["now"], invalid),
    Case("EventsSince", "stu", [.text(large), 0, 10], ours("JournalChanged"), BusClient.manager),
    Case("EventsSince", "sss", ["", "", ""], invalid, BusClient.manager),
    Case("DailyVisits", "ssu", [.text(large), "", 10], ours("InvalidOptions"), BusClient.manager),
    Case("DailyVisits", "ssu", ["2026-02-30", "", 10], ours("InvalidOptions"), BusClient.manager),
    Case("DailyVisits", "stu", ["", 0, 10], invalid, BusClient.manager),
    Case("StartRecording", "a{sv}", [[:]], invalid, BusClient.manager),
    Case(
      "Get", "ss", ["org.beaconmon.Monitor1.Manager", .text(large)], "org.freedesktop.DBus.Error.UnknownProperty",
      "org.freedesktop.DBus.Properties"),
    Case(
      "Set", "ssv", ["org.beaconmon.Monitor1.Manager", "Source", "hci"], "org.freedesktop.DBus.Error.PropertyReadOnly",
      "org.freedesktop.DBus.Properties"),
  ]

  /// Returns a circle with changed keys.
  private static func circle(_ changes: [String: JSON]) -> JSON {
    let right: [String: JSON] = ["identifier": "a", "latitude": 52.5, "longitude": 13.4, "radius": 100]
    return .object(right.merging(changes) { $1 })
  }

  @Test func `each invalid call has its error in a short message, and running requests continue`() throws {
    let scene = try SessionScene(config: LocationScene.fixed + "\n" + Stage.hall)
    let session = try scene.client.openSession()
    _ = try scene.client.range(["uuid": Self.uuid], on: session)
    _ = try scene.client.nextRanged()
    _ = try scene.client.monitor(["identifier": "desk", "uuid": Self.uuid], on: session)
    for wrong in Self.cases {
      let path = wrong.interface == BusClient.session ? session : BusClient.root
      let reply = try scene.client.call(wrong.interface, wrong.member, at: path, signature: wrong.signature, arguments: wrong.arguments)
      guard case .error(let name, let message) = reply else { throw TimeoutError("\(wrong.testDescription) was accepted") }
      #expect(name == wrong.error, "\(wrong.testDescription)")
      #expect(!message.isEmpty && message.utf8.count <= 4100, "\(wrong.testDescription)")
    }
    #expect(try scene.client.property("MonitoredRegions", "Session", at: session) == ["desk"])
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.map { $0["isOn"] } == [false])
    #expect(!scene.client.signals.contains { $0.name.hasPrefix("Location") })
    try scene.feed.hear(minor: 1, at: 1.5)
    #expect(try scene.client.nextRanged().constraint == ["uuid": Self.uuid])
    #expect(!scene.client.signals.contains { $0.name == "Scanned" || $0.name == "Stopped" })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `another client cannot read, stop or extend the regions of a session`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(["identifier": "desk", "uuid": Self.uuid], on: session)
    let stranger = try scene.stranger()
    let calls: [(String, String, [JSON])] = [
      ("RequestState", "s", ["desk"]), ("StopMonitoring", "s", ["desk"]),
      ("StartMonitoring", "a{sv}", [["identifier": "mine", "uuid": Self.uuid]]), ("StartScanning", "", []),
    ]
    for (member, signature, arguments) in calls {
      let reply = try stranger.call(BusClient.session, member, at: session, signature: signature, arguments: arguments)
      guard case .error(let name, _) = reply else { throw TimeoutError("\(member) was answered") }
      #expect(name == "org.freedesktop.DBus.Error.UnknownObject", "\(member)")
    }
    let reply = try stranger.call("org.freedesktop.DBus.Properties", "GetAll", at: session, signature: "s", .text(BusClient.session))
    guard case .error = reply else { throw TimeoutError("the properties were readable") }
    #expect(try scene.client.property("MonitoredRegions", "Session", at: session) == ["desk"])
    scene.daemon.signal(SIGTERM)
  }
}
