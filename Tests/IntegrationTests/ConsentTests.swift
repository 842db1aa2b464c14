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
}
