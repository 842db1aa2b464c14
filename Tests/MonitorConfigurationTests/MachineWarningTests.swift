import Foundation
import MonitorConfiguration
import TestSupport
import Testing

/// References of a configuration that this machine lacks, or that do not work here.
@Suite struct MachineWarningTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func file(_ name: String, _ content: String = "", mode: Int = 0o640) throws -> String {
    let path = folder.file(name)
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  /// Returns the warnings without the file's name, with F for the folder and U for the user of this test.
  private func warnings(
    _ text: String, for services: Set<ConfiguredService> = Set(ConfiguredService.allCases), environment: [String: String] = ["PATH": "/bin"]
  ) throws -> [String] {
    let document = try ConfigurationDocument.parse(text: text, name: "t")
    return document.machineWarnings(for: services, environment: environment).map {
      String("\($0)".dropFirst(2)).replacing(folder.path, with: "F").replacing("user \(NSUserName())", with: "U")
    }
  }

  private static let hall = "[[region]]\nidentifier = \"hall\"\nuuid = \"8ec76ea3-6668-48da-9866-75be8bc86f4d\"\n"

  @Test func `a capture that is missing, a folder or not a capture has a warning`() throws {
    #expect(
      try warnings("source = \"capture:/nowhere/walk.btsnoop\"") == ["1: source: there is no file /nowhere/walk.btsnoop; check the path"])
    #expect(
      try warnings("source = \"capture:walk\"") == ["1: source: there is no file walk in the current folder; write an absolute path"])
    #expect(try warnings("source = \"capture:\(folder.path)\"") == ["1: source: F is a folder; specify a file in it"])
    let text = try file("text", "this is not a capture, but a text")
    #expect(
      try warnings("source = \"capture:\(text)\"").first?.hasPrefix("1: source: F/text: byte 0: this is not a btsnoop capture") == true)
    let capture = Fixture.path("gallery-rectangular_without_rotation.btsnoop")
    #expect(try warnings("source = \"capture:\(capture)\"") == [])
    #expect(try warnings("source = \"capture:-\"") == [])
  }

  @Test func `a scenario with errors and a missing track have a warning`() throws {
    let scenario = try file("venue.toml", "duratio = 3\n")
    let found = try warnings("source = \"simulator:\(scenario)\"")
    #expect(found.count == 1 && found[0].hasPrefix("1: source: the scenario is invalid: F/venue.toml:1: "), "\(found)")
    #expect(
      try warnings("source = \"none\"\n\n[location.capture]\npath = \"/nowhere/walk.nmea\"") == [
        "4: location: capture: path: there is no file /nowhere/walk.nmea; check the path"
      ])
  }

  @Test func `a program that is missing or not executable has a warning`() throws {
    let script = try file("script", "#!/bin/sh\n", mode: 0o644)
    func action(_ command: String) -> String { "[[notifier.action]]\ncommand = [\"\(command)\", \"x\"]\n" }
    let place = "2: notifier action 1: command:"
    #expect(try warnings(action("/nowhere/play")) == ["\(place) there is no program /nowhere/play; install it, or correct the path"])
    #expect(try warnings(action(script)) == ["\(place) F/script is not executable; run \"chmod +x F/script\""])
    #expect(try warnings(action(folder.path)) == ["\(place) F is a folder; specify a program in it"])
    #expect(
      try warnings(action("no-such-program")) == [
        "\(place) no program \"no-such-program\" is in PATH (/bin); install it, or write its absolute path"
      ])
    #expect(try warnings(action("sh") + action("/bin/sh")) == [])
    #expect(try warnings(action("/nowhere/play"), for: [.daemon]) == [])
  }

  @Test func `a secret that is missing or readable by every user has a warning`() throws {
    func webhook(_ secret: String) -> String {
      "[[notifier.action]]\n[notifier.action.webhook]\nurl = \"https://example.org\"\nsecret = { \(secret) }\n"
    }
    let place = "4: notifier action 1: webhook: secret:"
    let secret = try file("secret", "whsec_x", mode: 0o644)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    #expect(try warnings(webhook("file = \"/nowhere/secret\"")) == ["\(place) there is no file /nowhere/secret; check the path"])
    #expect(
      try warnings(webhook("file = \"\(secret)\"")) == [
        "\(place) every user of this machine can read the secret in F/secret; run \"chmod o= F/secret\""
      ])
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    #expect(try warnings(webhook("file = \"\(secret)\"")) == [], "nobody else may enter the folder")
    #expect(try warnings(webhook("credential = \"till\"")) == [], "only a unit has credentials")
    #expect(
      try warnings(webhook("credential = \"till\""), environment: ["CREDENTIALS_DIRECTORY": folder.path]) == [
        "\(place) the unit has no credential \"till\"; add LoadCredential=till:FILE to it"
      ])
  }

  @Test func `passwords and certificates of a broker are checked like other secrets and files`() throws {
    let text = """
      [[notifier.target]]
      name = "broker"
      [notifier.target.mqtt]
      host = "localhost"
      tls = true
      username = "x"
      ca-file = "/nowhere/ca.pem"
      password = { file = "/nowhere/password" }
      """
    #expect(
      try warnings(text) == [
        "7: target \"broker\": mqtt: ca-file: there is no file /nowhere/ca.pem; check the path",
        "8: target \"broker\": mqtt: password: there is no file /nowhere/password; check the path",
      ])
  }

  @Test func `unknown users and groups have a warning`() throws {
    func rule(_ key: String, _ name: String) -> String { "[[privacy.rule]]\n\(key) = \"\(name)\"\nallow = \"always\"\n" }
    let text = rule("user", "no-such-user") + rule("group", "no-such-group") + rule("user", "root") + rule("group", "4711")
    #expect(
      try warnings(text) == [
        "2: privacy rule 1: user: there is no user \"no-such-user\"; add the user, or correct the name",
        "5: privacy rule 2: group: there is no group \"no-such-group\"; add the group, or correct the name",
      ])
  }

  @Test func `a journal without a folder, below a file or over a folder has a warning`() throws {
    func journal(_ path: String) -> String { "[journal]\npath = \"\(path)\"\n" }
    #expect(
      try warnings(journal("/nowhere/journal.db")) == [
        "2: journal: path: the folder /nowhere is missing, so events would be kept in memory only; create it for U"
      ])
    let text = try file("text")
    #expect(try warnings(journal("\(text)/journal.db")).first?.hasPrefix("2: journal: path: ") == true)
    #expect(try warnings(journal(folder.path)) == ["2: journal: path: F is not a file; specify another path, or remove it"])
    #expect(try warnings(journal("\(folder.path)/journal.db")) == [])
  }

  @Test func `a receiver that is not plugged in has a warning`() throws {
    #expect(
      try warnings("[location.nmea]\ndevice = \"/dev/nowhere\"") == [
        "2: location: nmea: device: there is no device /dev/nowhere; plug it in, or check the path; a service also requires the drop-in location.conf"
      ])
    #expect(try warnings("[location.nmea]\ndevice = \"/dev/null\"") == [])
  }

  @Test func `the shipped config has no warnings`() throws {
    let document = try ConfigurationDocument.read(file: ShippedConfiguration.path)
    #expect(document.warnings == [])
    #expect(document.machineWarnings(for: Set(ConfiguredService.allCases), environment: [:]) == [])
  }
}
