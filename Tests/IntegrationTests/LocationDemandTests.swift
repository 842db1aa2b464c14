import Foundation
import TestSupport
import Testing

/// Several clients that request different accuracies, and clients that request too much.
@Suite struct LocationDemandTests {
  private func error(_ name: String) -> String { "\(BusClient.busName).Error.\(name)" }

  @Test func `a receiver is on only while a client needs it, and status lists the switches with their reasons`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(
      receiver.config + """
        [location.fixed]
        latitude = 52.5
        longitude = 13.4
        accuracy = 500
        """)
    func switched() throws -> [String] {
      (try scene.client.property("LocationSwitches", "Manager")?.list ?? []).map {
        "\($0["source"]?.text ?? "") \($0["isOn"] == true ? "on" : "off"): \($0["reason"]?.text ?? "")"
      }
    }
    let (coarse, fine) = (try scene.client.openSession(), try scene.client.openSession())
    #expect(try scene.client.updateLocation(["desiredAccuracy": "kilometer"], on: coarse) == .values([]))
    let first = try scene.client.next("the place") { $0.name == "LocationUpdated" }
    #expect(first.path == coarse && first.arguments[0]["source"] == "fixed")
    #expect(try switched() == ["fixed on: 1000 m are requested"])
    #expect(try scene.client.updateLocation(["desiredAccuracy": 10], on: fine) == .values([]))
    try receiver.say(52.52, 13.405, until: scene.client)
    // The client with the coarser request receives the fix too.
    for session in [coarse, fine] {
      #expect(scene.client.signals.contains { $0.path == session && $0.name == "LocationUpdated" && $0.arguments[0]["latitude"] == 52.52 })
    }
    let stepUp = ["fixed on: 1000 m are requested", "nmea on: 10 m are requested", "fixed off: another source suffices"]
    #expect(try switched() == stepUp)
    #expect(try scene.client.call(BusClient.session, "Close", at: fine) == .values([]))
    let stepDown = ["fixed on: 1000 m are requested", "nmea off: another source suffices"]
    #expect(try switched() == stepUp + stepDown)
    let status = try CommandLine(["status", "--bus", scene.stage.bus.address]).output
    for change in (stepUp + stepDown).suffix(4) { #expect(status.contains { $0.hasSuffix("Z \(change)") }, "\(change) in \(status)") }
    #expect(try scene.client.call(BusClient.session, "StopUpdatingLocation", at: coarse) == .values([]))
    #expect(try switched().last == "fixed off: no program requests locations")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a session waits for four locations, and all are answered when it closes`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let session = try scene.client.openSession()
    for _ in 0..<5 {
      try scene.client.ask(BusClient.session, "RequestLocation", at: session, signature: "a{sv}", arguments: [["timeout": "10m"]])
    }
    #expect(
      try scene.client.answer()
        == .error(error("LimitsExceeded"), message: "this session already waits for 4 locations; wait for an answer"))
    try scene.client.ask(BusClient.session, "Close", at: session, arguments: [])
    let answers = try (0..<5).map { _ in try scene.client.answer() }
    #expect(answers.count { $0.name == "org.freedesktop.DBus.Error.UnknownObject" } == 4 && answers.contains(.values([])))
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    scene.daemon.signal(SIGTERM)
  }

  @Test(.ofRelease) func `a flood of sessions that open, request and close leaves nothing behind`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    func flood(_ rounds: Int) throws {
      for _ in 0..<rounds {
        let session = try scene.client.openSession()
        #expect(try scene.client.updateLocation(["distanceFilter": 5], on: session) == .values([]))
        try scene.client.ask(BusClient.session, "RequestLocation", at: session, signature: "a{sv}", arguments: [[:]])
        let circle: JSON = ["identifier": "a", "latitude": 52, "longitude": 13, "radius": 100]
        try scene.client.ask(BusClient.session, "StartMonitoring", at: session, signature: "a{sv}", arguments: [circle])
        try scene.client.ask(BusClient.session, "Close", at: session, arguments: [])
        for _ in 0..<3 { _ = try scene.client.answer() }
      }
    }
    try flood(300)
    let before = try MemoryStatus(scene.daemon.pid)
    try flood(1500)
    let after = try MemoryStatus(scene.daemon.pid)
    #expect(after.anonymousKiB - before.anonymousKiB <= 256, "\(before) before, \(after) after")
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client without a source receives an error, or its user's location`() throws {
    let scene = try CircleScene("")
    let (silent, manual) = (try scene.client.openSession(), try scene.client.openSession())
    let here: JSON = ["latitude": 48.1, "longitude": 11.5]
    #expect(try scene.client.call(BusClient.session, "SetManualLocation", at: manual, signature: "a{sv}", here) == .values([]))
    for session in [silent, manual] { #expect(try scene.client.updateLocation(on: session) == .values([])) }
    try scene.pass(15)
    #expect(!scene.client.signals.contains { $0.name.hasPrefix("Location") })
    try scene.pass(16)
    var told: [BusClient.Signal] = []
    try wait(for: "both updates") {
      try scene.client.ping()
      told = scene.client.signals.filter { $0.name.hasPrefix("Location") }
      return Set(told.map(\.path)).count == 2
    }
    #expect(told.filter { $0.path == silent }.map(\.name) == ["LocationUnknown"])
    #expect(told.filter { $0.path == manual }.map { $0.arguments[0]["source"] } == ["manual"])
    // The device's own location takes precedence.
    try scene.stand(52, 13)
    for session in [silent, manual] {
      #expect(scene.client.signals.last { $0.path == session && $0.name == "LocationUpdated" }?.arguments[0]["source"] == "nmea")
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a circle that an app registers is checked by the rules of the config`() throws {
    let scene = try LocationScene(LocationScene.fixed)
    let session = try scene.client.openSession(["purpose": "a test", "appId": "org.example.Guide"])
    for (key, value) in [("radius", 0), ("radius", 30_000_000), ("latitude", 91), ("longitude", .number(.nan)), ("scanOnlyNear", true)]
      as [(String, JSON)]
    {
      let circle: [String: JSON] = ["identifier": "a", "latitude": 52.5, "longitude": 13.4, "radius": 100]
      let wrong = JSON.object(circle.merging([key: value]) { $1 })
      guard
        case .error(let name, let message) = try scene.client.call(
          BusClient.session, "RegisterRegion", at: session, signature: "a{sv}", wrong)
      else { throw TimeoutError("\(key) \(value) was accepted") }
      #expect(name == error("InvalidRegion") && message.hasPrefix("\(key): "), "\(message)")
    }
    #expect(try scene.client.property("RegisteredRegions", "Session", at: session) == [])
    scene.daemon.signal(SIGTERM)
  }
}
