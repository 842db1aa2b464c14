import Foundation
import TestSupport
import Testing

/// Callers without consent.
extension ConsentTests {
  @Test func `an app without consent cannot find out whether the config has an identifier`() throws {
    let scene = try ConsentScene()
    let names = ["hall", "attic"]
    /// Monitors each name in a session of its own.
    func ask() throws {
      for name in names {
        let session = try scene.client.openSession()
        try scene.client.ask(
          BusClient.session, "StartMonitoring", at: session, signature: "a{sv}", arguments: [["identifier": .text(name)]])
      }
    }
    try ask()
    for _ in names { #expect(try scene.client.answer(to: "StartMonitoring") == ConsentScene.undecided) }
    let polkit = try scene.polkit()
    try ask()
    _ = try polkit.output.next("the question")
    // Both calls wait: an answer about the unknown name would have come before that to a later call.
    let count = scene.client.signals.count
    let session = try scene.client.openSession()
    #expect(try scene.client.property("MonitoredRegions", "Session", at: session) == [])
    let requested = try names.map { try scene.client.call(BusClient.session, "RequestState", at: session, signature: "s", .text($0)) }
    #expect(requested.allSatisfy { $0.name == "\(BusClient.busName).Error.NotMonitoring" })
    try polkit.input.write(contentsOf: Data("dismissed\n".utf8))
    for _ in names { #expect(try scene.client.answer(to: "StartMonitoring") == ConsentScene.undecided) }
    #expect(!scene.client.signals.dropFirst(count).contains { $0.name == "RegionState" })
    // With consent, the answers differ.
    try ask()
    _ = try polkit.output.next("the next question")
    try polkit.input.write(contentsOf: Data("yes\n".utf8))
    let answers = try names.map { _ in try scene.client.answer(to: "StartMonitoring") }
    #expect(answers.contains(.values([])) && answers.contains { $0.name == "\(BusClient.busName).Error.InvalidRegion" }, "\(answers)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a stranger receives no data`() throws {
    let scene = try ConsentScene()
    _ = try scene.client.openSession()
    try scene.feed.hear(minor: 3, at: 1)
    _ = try scene.insider.next("the event that root hears") { $0.name == "RegionEvent" }
    let hidden = [
      ("org.freedesktop.DBus.ObjectManager", "GetManagedObjects", BusClient.root), ("\(BusClient.busName).Privacy", "Uses", BusClient.root),
      ("\(BusClient.busName).Privacy", "Requests", BusClient.root), ("\(BusClient.busName).Privacy", "Decisions", BusClient.root),
      ("\(BusClient.busName).Region", "RequestState", "\(BusClient.root)/region/hall"),
      ("org.freedesktop.DBus.Introspectable", "Introspect", "\(BusClient.root)/region/hall"),
      ("org.freedesktop.DBus.Monitoring", "BecomeMonitor", "/org/freedesktop/DBus"),
    ]
    for (interface, method, path) in hidden {
      let isBus = path == "/org/freedesktop/DBus"
      let reply =
        isBus
        ? try scene.client.call(interface, method, at: path, signature: "asu", [], 0, destination: "org.freedesktop.DBus")
        : try scene.client.call(interface, method, at: path)
      guard case .error = reply else { throw TimeoutError("\(method) succeeded \(reply)") }
    }
    for (method, signature, arguments) in [("EventsSince", "stu", ["", 0, 10]), ("DailyVisits", "ssu", ["", "", 10])]
      as [(String, String, [JSON])]
    {
      let reply = try scene.client.call(BusClient.manager, method, signature: signature, arguments[0], arguments[1], arguments[2])
      guard case .error = reply else { throw TimeoutError("\(method) succeeded \(reply)") }
    }
    for property in ["Journal", "LastSequence", "Statistics", "SourceState", "Source"] {
      let reply = try scene.client.call(
        "org.freedesktop.DBus.Properties", "Get", signature: "ss", .text(BusClient.manager), .text(property))
      guard case .error = reply else { throw TimeoutError("\(property) was revealed to a stranger: \(reply)") }
    }
    let all = try scene.client.call("org.freedesktop.DBus.Properties", "GetAll", signature: "s", .text(BusClient.manager))
    guard case .values(let values) = all else { throw TimeoutError("\(all)") }
    #expect(values.first?.object?.keys.sorted() == ["Version"])
    let root = try scene.client.call("org.freedesktop.DBus.Introspectable", "Introspect")
    guard case .values(let document) = root else { throw TimeoutError("\(root)") }
    let children = (document.first?.text ?? "").matches(of: /<node name="(.*)"/).map { String($0.output.1) }
    #expect(children == ["session"])
    // A round trip follows every earlier broadcast.
    #expect(!scene.client.signals.contains { $0.interface != BusClient.session })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the bus refuses match rules that eavesdrop`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nuser = \"1\"\nallow = \"always\"\n")
    let guest = try BusClient(scene.stage.bus, as: 1, matching: "type='signal'")
    #expect(throws: TimeoutError.self) {
      _ = try BusClient(scene.stage.bus, as: ConsentScene.stranger, matching: "type='signal',eavesdrop='true'")
    }
    let spy = try BusClient(scene.stage.bus, as: ConsentScene.stranger, matching: "type='signal',destination='\(guest.name)'")
    #expect(try guest.range(ConsentScene.constraint, on: try guest.openSession()) == .values([]))
    try scene.feed.hear(minor: 3, at: 1)
    try scene.feed.hear(minor: 3, at: 3)
    _ = try guest.next("a beacon") { $0.name == "Ranged" && $0.arguments[2].list?.isEmpty == false }
    try spy.ping()
    #expect(spy.signals.isEmpty)
    scene.daemon.signal(SIGTERM)
  }

  @Test(
    arguments: [
      [:], ["purpose": ""], ["purpose": "a\nb"], ["purpose": "fine", "appId": "guide"], ["purpose": "fine", "more": true],
      ["purpose": .text(String(repeating: "a", count: 100_000))],
    ] as [JSON])
  func `a session states its purpose in one line`(options: JSON) throws {
    let scene = try ConsentScene()
    guard case .error(let name, _) = try scene.client.call(BusClient.manager, "CreateSession", signature: "a{sv}", options) else {
      throw TimeoutError("a session for \(options)")
    }
    #expect(name == "\(BusClient.busName).Error.InvalidOptions")
    scene.daemon.signal(SIGTERM)
  }
}
