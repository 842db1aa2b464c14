import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0, "requires root to run as another user")) struct ConsentTests {
  @Test func `without polkit every user is denied until an administrator decides otherwise`() throws {
    let scene = try ConsentScene()
    let session = try scene.client.openSession(["purpose": "Shows the exhibit", "appId": "org.example.Guide"])
    #expect(try scene.range(on: session) == ConsentScene.undecided)
    try scene.decide("grant", "65534")
    #expect(try scene.range(on: session) == .values([]))
    try scene.feed.hear(minor: 3, at: 1)
    try scene.feed.hear(minor: 3, at: 3)
    _ = try scene.client.next("a beacon") { $0.name == "Ranged" && $0.arguments[2].list?.isEmpty == false }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a revocation ends all use at once, with its reason`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"when-in-use\"\n")
    let session = try scene.client.openSession()
    #expect(try scene.range(on: session) == .values([]))
    try scene.decide("revoke", "65534")
    let change = try scene.client.next("the end") { $0.name == "AuthorizationChanged" }
    #expect(change.arguments[0] == "denied")
    #expect(change.arguments[1].text?.contains("denied for this user") == true)
    guard
      case .error(let name, _) = try scene.client.call(
        BusClient.session, "StopRanging", at: session, signature: "a{sv}", ConsentScene.constraint)
    else { throw TimeoutError("the client still ranges") }
    #expect(name == "\(BusClient.busName).Error.NotRanging")
    #expect(try scene.range(on: session) == ConsentScene.refusal(change.arguments[1].text ?? ""))
    try scene.decide("reset", "65534")
    _ = try scene.client.next("the rule again") { $0.name == "AuthorizationChanged" && $0.arguments[0] == "whenInUse" }
    #expect(try scene.range(on: session) == .values([]))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the switch applies to every user`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n")
    let session = try scene.client.openSession()
    #expect(try scene.range(on: session) == .values([]))
    try scene.decide("off")
    _ = try scene.client.next("the end") { $0.name == "AuthorizationChanged" && $0.arguments[0] == "denied" }
    guard case .error(let name, _) = try scene.range(on: session) else { throw TimeoutError("the client ranges") }
    #expect(name == "\(BusClient.busName).Error.LocationServicesDisabled")
    let own = try scene.insider.openSession()
    guard case .error = try scene.insider.range(ConsentScene.constraint, on: own) else { throw TimeoutError("root ranges") }
    try scene.decide("on")
    #expect(try scene.range(on: session) == .values([]))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `polkit shows its dialog once, with the purpose of the program, and a yes is stored`() throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession(["purpose": "Shows the exhibit", "appId": "org.example.Guide"])
    try polkit.input.write(contentsOf: Data("yes\n".utf8))
    #expect(try scene.range(on: session) == .values([]))
    #expect(
      try polkit.output.next("the question")
        == "org.beaconmon.monitor.when-in-use \(scene.client.name) org.example.Guide Shows the exhibit 1")
    let other = try BusClient(scene.stage.bus, as: ConsentScene.stranger)
    #expect(try other.range(ConsentScene.constraint, on: try other.openSession()) == .values([]))
    let shown = try JSON(parsing: CommandLine(["privacy", "--json", "--bus", scene.stage.bus.address]).output[0])
    #expect(shown["decisions"]?[0]?["decidedBy"] == "polkit" && shown["decisions"]?[0]?["authorization"] == "whenInUse")
    #expect(shown["uses"]?.list?.count == 2 && shown["uses"]?[1]?["appId"] == "org.example.Guide")
    // The lines are all calls to polkit after its ready line.
    try polkit.input.close()
    #expect(try polkit.output.all().count == 2)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a yes that follows a denial is too late`() throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession()
    try scene.client.ask(BusClient.session, "StartRanging", at: session, signature: "a{sv}", arguments: [ConsentScene.constraint])
    _ = try polkit.output.next("the question")
    try scene.decide("revoke", "65534")
    try polkit.input.write(contentsOf: Data("yes\n".utf8))
    #expect(try scene.client.answer(to: "StartRanging").name == "\(BusClient.busName).Error.NotAuthorized")
    #expect(try scene.client.property("Authorization", "Session", at: session) == "denied")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `at most 16 calls of a session wait for a decision, and none with wrong arguments`() throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession()
    for (method, argument) in [
      ("StartRanging", ["uuid": "none"]), ("StartMonitoring", ["identifier": "hall", "uuid": "none"]),
      ("RequestLocation", ["timeout": "soon"]),
      ("StartUpdatingLocation", ["distanceFilter": -1]),
    ] as [(String, JSON)] {
      let reply = try scene.client.call(BusClient.session, method, at: session, signature: "a{sv}", argument)
      #expect(reply.name?.contains(".Error.Invalid") == true, "\(method): \(reply)")
    }
    for number in 0..<17 {
      let constraint: JSON = ["uuid": .text(CaptureOctets.uuid), "major": .number(Double(number % 16))]
      try scene.client.ask(BusClient.session, "StartRanging", at: session, signature: "a{sv}", arguments: [constraint])
    }
    #expect(
      try scene.client.answer(to: "StartRanging")
        == .error(
          "\(BusClient.busName).Error.LimitsExceeded",
          message: "16 calls of this session already wait for a decision; wait for an answer"))
    // All callers share one dialog.
    _ = try polkit.output.next("the question")
    try polkit.input.write(contentsOf: Data("dismissed\n".utf8))
    for _ in 0..<16 { #expect(try scene.client.answer(to: "StartRanging") == ConsentScene.undecided) }
    // Answered calls no longer count.
    try polkit.input.write(contentsOf: Data("yes\n".utf8))
    #expect(try scene.range(on: session) == .values([]))
    scene.daemon.signal(SIGTERM)
  }

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

  @Test func `a yes to a lesser request does not reduce a wider permission`() throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession()
    for use in ["always", "whenInUse"] {
      try scene.client.ask(BusClient.session, "RequestAuthorization", at: session, signature: "s", arguments: [.text(use)])
      _ = try polkit.output.next("the question")
    }
    for _ in 0..<2 {
      try polkit.input.write(contentsOf: Data("yes\n".utf8))
      guard case .values(let values) = try scene.client.answer(to: "RequestAuthorization") else { throw TimeoutError("no answer") }
      #expect(values.first == "always")
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: ["no", "dismissed", "unable"]) func `an answer other than yes is not a permission`(answer: String) throws {
    let scene = try ConsentScene()
    let polkit = try scene.polkit()
    let session = try scene.client.openSession()
    try polkit.input.write(contentsOf: Data("\(answer)\n".utf8))
    guard case .error(let name, _) = try scene.range(on: session) else { throw TimeoutError("the client ranges") }
    #expect(name == "\(BusClient.busName).Error.NotAuthorized")
    let shown = try JSON(parsing: CommandLine(["privacy", "--json", "--bus", scene.stage.bus.address]).output[0])
    #expect(shown["decisions"]?.list?.isEmpty == true && shown["uses"]?.list?.isEmpty == true)
    #expect(shown["requests"]?[0]?["purpose"] == "a test")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client that starts and stops repeatedly does not cause a disk write each time`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"when-in-use\"\n")
    for _ in 0..<200 {
      let session = try scene.client.openSession()
      #expect(try scene.range(on: session) == .values([]))
      _ = try scene.client.call(BusClient.session, "Close", at: session)
    }
    let file = try Data(contentsOf: URL(fileURLWithPath: scene.stage.folder.file("consent.db")))
    // The file change counter (https://sqlite.org/fileformat.html, 1.3.7): two commits for each of the two hundred would be 400.
    #expect(file[24..<28].reduce(0) { $0 << 8 | Int($1) } < 50)
    let shown = try JSON(parsing: CommandLine(["privacy", "--json", "--bus", scene.stage.bus.address]).output[0])["uses"]
    #expect(shown?.list?.count == 1 && shown?[0]?["inUse"] == false && shown?[0]?["ended"] != nil)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `decisions survive a restart of the daemon`() throws {
    let scene = try ConsentScene()
    try scene.decide("grant", "65534", "--always")
    scene.daemon.signal(SIGTERM)
    #expect(try scene.daemon.exitStatus() == 0)
    let feed = try CaptureFeed(scene.stage, named: "again")
    let daemon = try scene.stage.daemon(config: scene.stage.folder.file("config.toml"), source: feed.path)
    try scene.insider.waitForDaemon()
    let session = try scene.client.openSession()
    #expect(try scene.range(on: session) == .values([]))
    daemon.signal(SIGTERM)
  }

  @Test func `unreadable decisions switch location services off, and apply again with their file`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n")
    try scene.decide("revoke", "65534")
    try scene.end(scene.daemon)
    let path = scene.stage.folder.file("consent.db")
    try FileManager.default.moveItem(atPath: path, toPath: path + ".kept")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let blind = try scene.restart("blind")
    let session = try scene.client.openSession()
    #expect(try scene.range(on: session).name == "\(BusClient.busName).Error.LocationServicesDisabled")
    let note = try #require(try scene.insider.property("ConsentNote", "Privacy")?.text)
    #expect(note.hasPrefix("\(path): "))
    #expect(note.hasSuffix("; location services are off until an administrator runs `beaconmon privacy on`"))
    #expect(try scene.client.property("ConsentNote", "Privacy") == nil)
    let status = try CommandLine(["status", "--bus", scene.stage.bus.address]).output
    #expect(status.contains("consent    \(note)"))
    let shown = try CommandLine(["privacy", "--bus", scene.stage.bus.address]).output
    #expect(shown.prefix(2) == ["location services  off: sessions receive neither events nor locations", note])
    #expect(try blind.log.next("the reason") { $0.contains(note) }.isEmpty == false)
    // The administrator who switches location services on has read the note.
    try scene.decide("on")
    #expect(try scene.range(on: session) == .values([]))
    #expect(try scene.insider.property("ConsentNote", "Privacy")?.text?.contains("privacy on") == false)
    try scene.end(blind)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".kept", toPath: path)
    let daemon = try scene.restart("again")
    #expect(try scene.range(on: try scene.client.openSession()).name == "\(BusClient.busName).Error.NotAuthorized")
    #expect(try scene.insider.property("ConsentNote", "Privacy") == nil)
    daemon.signal(SIGTERM)
  }

  @Test func `a damaged file of decisions keeps location services off until an administrator switches them on`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n")
    try scene.decide("revoke", "65534")
    try scene.end(scene.daemon)
    let path = scene.stage.folder.file("consent.db")
    try Data("no database\n".utf8).write(to: URL(fileURLWithPath: path))
    var daemon = try scene.restart("first")
    #expect(try scene.insider.property("ConsentNote", "Privacy")?.text?.contains("was moved to \(path).1") == true)
    // The loss is still reported after the next start, and after the removal of the file that reports it.
    for name in ["second", "third"] {
      #expect(try scene.range(on: try scene.client.openSession()).name == "\(BusClient.busName).Error.LocationServicesDisabled")
      try scene.end(daemon)
      try? FileManager.default.removeItem(atPath: path + ".1")
      daemon = try scene.restart(name)
    }
    try scene.decide("on")
    try scene.end(daemon)
    daemon = try scene.restart("last")
    #expect(try scene.range(on: try scene.client.openSession()) == .values([]))
    daemon.signal(SIGTERM)
  }

  @Test func `only administrators decide for others, and every user can give up a permission`() throws {
    let scene = try ConsentScene()
    let privacy = "\(BusClient.busName).Privacy"
    for (method, signature, arguments) in [
      ("Grant", "sus", ["user", 65_534, "always"]), ("Reset", "su", ["user", 65_534]), ("Revoke", "su", ["group", 0]),
      ("SetLocationServicesEnabled", "b", [true]),
    ] as [(String, String, [JSON])] {
      let reply: BusClient.Reply =
        switch arguments.count {
        case 1: try scene.client.call(privacy, method, signature: signature, arguments[0])
        case 2: try scene.client.call(privacy, method, signature: signature, arguments[0], arguments[1])
        default: try scene.client.call(privacy, method, signature: signature, arguments[0], arguments[1], arguments[2])
        }
      guard case .error(let name, _) = reply else { throw TimeoutError("\(method) was done") }
      #expect(name == "org.freedesktop.DBus.Error.AccessDenied", "\(method)")
    }
    #expect(try scene.client.call(privacy, "Revoke", signature: "su", "user", 65_534) == .values([]))
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
