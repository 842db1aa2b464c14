import Foundation
import TestSupport
import Testing

/// Venues that clients store in the daemon.
@Suite struct VenueEditTests {
  private static func hall(_ title: String) -> String {
    """
    format = 1
    id = "hall"
    name = "Hall"
    uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    [[beacon]]
    major = 1
    minor = 1
    position = [2, 3]
    [[place]]
    id = "clock"
    position = [1, 2]
    title = "\(title)"

    """
  }

  private func call(_ client: BusClient, _ member: String, _ signature: String, _ arguments: [JSON]) throws -> BusClient.Reply {
    try client.call("org.beaconmon.Monitor1.Venue", member, signature: signature, arguments: arguments)
  }

  private func save(_ client: BusClient, _ text: String, _ revision: String) throws -> BusClient.Reply {
    try call(client, "Save", "ssa{sv}", [.text(text), .text(revision), [:]])
  }

  private func values(_ reply: BusClient.Reply) throws -> [JSON] {
    guard case .values(let values) = reply else { throw TimeoutError("\(reply)") }
    return values
  }

  private func message(_ reply: BusClient.Reply) -> String? {
    if case .error(_, let message) = reply { message } else { nil }
  }

  private func title(_ client: BusClient) throws -> JSON? {
    try values(try call(client, "Place", "sa{sv}", ["clock", [:]])).first?["title"]
  }

  @Test func `a saved venue is in use at once and after a restart`() throws {
    let scene = try ConsentScene()
    let client = scene.insider
    let saved = try values(save(client, Self.hall("Clock"), ""))
    #expect(saved[0] == "hall" && saved[2].list?.isEmpty == true)
    for listener in [client, scene.client] { try listener.waitUntilTold("the news") { $0.name == "VenuesChanged" } }
    #expect(try title(client) == "Clock")
    let revision = try #require(saved[1].text)
    let second = try values(save(client, Self.hall("Old clock"), revision))
    #expect(try title(client) == "Old clock")
    let stale = try save(client, Self.hall("Sundial"), revision)
    #expect(stale.name == "org.beaconmon.Monitor1.Error.StaleRevision")
    #expect(message(stale)?.contains("-title = \"Clock\"\n+title = \"Old clock\"") == true)
    let history = try #require(try values(call(client, "History", "sa{sv}", ["hall", [:]])).first?.list)
    #expect(history.map { $0["revision"] } == [second[1], saved[1]] && history.allSatisfy { $0["user"] == .number(Double(getuid())) })
    #expect(try values(call(client, "Text", "sa{sv}", ["hall", ["revision": saved[1]]]))[0].text == Self.hall("Clock"))
    try scene.end(scene.daemon)
    let daemon = try scene.restart("later")
    #expect(try title(client) == "Old clock")
    let files = try #require(try values(call(client, "Files", "a{sv}", [[:]])).first?.list)
    #expect(files.map { $0["venue"] } == ["hall"] && files[0]["editable"] == true && files[0]["revision"] == second[1])
    #expect(try values(call(client, "Remove", "ssa{sv}", ["hall", second[1], [:]])).isEmpty)
    #expect(try call(client, "Place", "sa{sv}", ["clock", [:]]).name == "org.beaconmon.Monitor1.Error.NoSuchPlace")
    try scene.end(daemon)
  }

  @Test func `a text is checked without being stored`() throws {
    let scene = try ConsentScene()
    func check(_ text: String) throws -> BusClient.Reply { try call(scene.insider, "Check", "sa{sv}", [.text(text), [:]]) }
    let checked = try values(check(Self.hall("Clock").replacing("[2, 3]", with: "[2, 3]\nheigth = 2")))
    #expect(checked[0] == "hall" && checked[1].list?.first?.text?.contains("line 9") == true)
    let wrong = try check(Self.hall("Clock").replacing("[1, 2]", with: "[1, nan]"))
    #expect(wrong.name == "org.beaconmon.Monitor1.Error.InvalidVenue" && message(wrong)?.contains("line 11") == true)
    #expect(try values(call(scene.insider, "Files", "a{sv}", [[:]])).first?.list?.isEmpty == true)
    try scene.end(scene.daemon)
  }

  @Test func `a text that is wrong or strange is refused with its line, and nothing is stored`() throws {
    let scene = try ConsentScene()
    let client = scene.insider
    for (text, message) in [
      (Self.hall("Clock").replacing("position = [1, 2]", with: "position = [1, nan]"), "line 11: place \"clock\": position"),
      ("", "line 1: missing key \"format\""), ("\u{1}", "line 1"),
      (Self.hall("Clock").replacing("id = \"hall\"\n", with: ""), "missing key \"id\""),
      (Self.hall("Clock").replacing("\"hall\"", with: "\"../hall\""), "line 2: id: "),
      (String(repeating: "# much\n", count: 160_000), "the text is larger than 1 MiB"),
    ] {
      let reply = try save(client, text, "")
      #expect(reply.name == "org.beaconmon.Monitor1.Error.InvalidVenue" && self.message(reply)?.hasPrefix(message) == true, "\(reply)")
    }
    #expect(try values(call(client, "Files", "a{sv}", [[:]])) == [[]])
    #expect(try call(client, "Files", "a{sv}", [["colour": 1]]).name == "org.beaconmon.Monitor1.Error.InvalidOptions")
    #expect(try call(client, "Text", "sa{sv}", ["../consent", [:]]).name == "org.beaconmon.Monitor1.Error.NoSuchVenue")
    try scene.end(scene.daemon)
  }

  @Test func `a user may read and change texts only with the permission of polkit`() throws {
    let scene = try ConsentScene()
    for (member, signature, arguments) in [
      ("Save", "ssa{sv}", [.text(Self.hall("Clock")), "", [:]]), ("Text", "sa{sv}", ["hall", [:]]), ("History", "sa{sv}", ["hall", [:]]),
      ("Remove", "ssa{sv}", ["hall", "", [:]]),
    ] as [(String, String, [JSON])] {
      #expect(
        try call(scene.client, member, signature, arguments)
          == .error(
            "org.freedesktop.DBus.Error.AccessDenied",
            message: "\(member) requires an administrator; call it as root, or let polkit permit org.beaconmon.venue.edit"))
    }
    #expect(try values(call(scene.client, "Files", "a{sv}", [[:]])) == [[]])
    let polkit = try scene.polkit()
    try polkit.input.write(contentsOf: Data("yes\n".utf8))
    #expect(try values(save(scene.client, Self.hall("Clock"), ""))[0] == "hall")
    #expect(try polkit.output.next("the question").hasPrefix("org.beaconmon.venue.edit "))
    try scene.end(scene.daemon)
  }

  @Test func `the command line stores, shows and removes a venue`() throws {
    let scene = try ConsentScene()
    let bus = ["--bus", scene.stage.bus.address]
    func venue(_ arguments: String...) throws -> CommandLine { try CommandLine(["venue"] + arguments + bus) }
    let file = try scene.stage.file("hall.toml", Self.hall("Clock"))
    #expect(try venue("files").output == ["the daemon has no venue"])
    let saved = try venue("save", file)
    let revision = try #require(saved.output.first?.split(separator: " ").last.map(String.init))
    #expect(saved.status == 0 && saved.output == ["hall: stored, revision \(revision)"])
    #expect(try venue("files").output.first?.hasSuffix("/venues/hall.toml, stored, revision \(revision)") == true)
    #expect(try venue("text", "hall").output.joined(separator: "\n") == Self.hall("Clock").dropLast())
    try Data(Self.hall("Sundial").utf8).write(to: URL(fileURLWithPath: file))
    let stale = try venue("save", file)
    #expect(stale.status == 65 && stale.errors.first?.contains("was changed meanwhile") == true)
    #expect(try venue("save", file, "--revision", revision).status == 0)
    #expect(try venue("history", "hall").output.map { $0.contains("saved by user \(getuid())") } == [true, true])
    let other = try scene.stage.file("other.toml", "format = 1\nid = \"other\"\nplace = 1\n")
    let refused = try venue("save", other)
    #expect(refused.status == 78 && refused.errors.first?.contains("line 3: place") == true)
    #expect(try venue("remove", "hall").output.first?.hasPrefix("hall: removed") == true)
    #expect(try venue("remove", "hall").status == 65)
    #expect(try venue("text", "hall", "--revision", revision).output.contains("title = \"Clock\""))
    try scene.end(scene.daemon)
  }
}
