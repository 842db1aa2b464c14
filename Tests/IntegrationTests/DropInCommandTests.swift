import Foundation
import TestSupport
import Testing

/// Drop-ins in the programs, `beaconmon config show` and `beaconmon config diff`.
@Suite struct DropInCommandTests {
  private let stage: Stage
  private let config: String

  init() throws {
    stage = try Stage()
    config = try stage.file("beaconmon.toml", Stage.hall)
    try FileManager.default.createDirectory(atPath: stage.folder.file("conf.d"), withIntermediateDirectories: false)
  }

  private static let site = "[[region]]\nidentifier = \"hall\"\nexit-delay = \"60s\"\n"

  private func run(_ arguments: String...) throws -> CommandLine { try CommandLine(["config"] + arguments) }

  /// Returns the lines with FOLDER for the folder of the test.
  private func lines(_ lines: [String]) -> [String] { lines.map { $0.replacing(stage.folder.path, with: "FOLDER") } }

  // MARK: Commands

  @Test func `config check names the drop-ins, and each error with its file`() throws {
    _ = try stage.file("conf.d/50-site.toml", Self.site)
    #expect(lines(try run("check", config).output) == ["FOLDER/beaconmon.toml with conf.d/50-site.toml: valid, 1 region, 0 actions"])
    _ = try stage.file("conf.d/60-device.toml", "[journal]\nretention = \"1 month\"\n")
    let refused = try run("check", config)
    #expect(refused.status == 78)
    #expect(
      lines(refused.errors) == [
        "beaconmon: FOLDER/conf.d/60-device.toml:2: journal: retention: \"1 month\" is not a duration; write a number and ms, s, m, h or d, such as \"30s\""
      ])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can check on behalf of another user"))
  func `config check warns about a drop-in that the user of the services may not read`() throws {
    let file = try stage.file("conf.d/50-site.toml", Self.site)
    chmod(stage.folder.path, 0o755)
    chmod(file, 0o600)
    let warned = try run("check", config, "--user", "nobody")
    #expect(warned.status == 0)
    #expect(lines(warned.output).last == "FOLDER/conf.d/50-site.toml: warning: user nobody may not read this file; let that user read it")
  }

  @Test func `config show prints the effective values with their origins`() throws {
    _ = try stage.file("conf.d/50-site.toml", Self.site)
    let shown = try run("show", config)
    #expect(shown.status == 0)
    #expect(
      lines(shown.output).filter { !$0.isEmpty } == [
        "# FOLDER/beaconmon.toml with conf.d/50-site.toml", "[[region]]", "identifier = \"hall\"  # beaconmon.toml:2",
        "uuid = \"\(CaptureOctets.uuid)\"  # beaconmon.toml:3", "exit-delay = \"60s\"  # conf.d/50-site.toml:3",
      ])
    let json = try JSONSerialization.jsonObject(with: Data(run("show", config, "--json", "--defaults").output.joined().utf8))
    let values = try #require((json as? [String: Any])?["values"] as? [[String: Any]])
    #expect(values.contains { $0["path"] as? [String] == ["region", "hall", "exit-delay"] && $0["line"] as? Int == 3 })
    #expect(values.contains { $0["path"] as? [String] == ["journal", "retention"] && $0["default"] as? Bool == true })
    let again = try stage.file("again.toml", shown.output.joined(separator: "\n"))
    #expect(try run("check", again).status == 0)
  }

  @Test func `config diff compares with the defaults, a file and a folder, and exits with 1 for differences`() throws {
    _ = try stage.file("conf.d/50-site.toml", Self.site + "[journal]\nsize = \"128MiB\"\n")
    let defaults = try run("diff", "--config", config)
    #expect(defaults.status == 1)
    #expect(lines(defaults.output).prefix(2) == ["--- the defaults", "+++ FOLDER/beaconmon.toml"])
    #expect(defaults.output.suffix(3) == ["[journal]", "- size = \"64MiB\"  # default", "+ size = \"128MiB\"  # conf.d/50-site.toml:5"])
    #expect(try run("diff", "--config", config, stage.folder.path).status == 0)
    let other = try stage.file("other.toml", Stage.hall.replacing("\"hall\"", with: "\"lobby\""))
    // The drop-in beside the other file applies to it as well.
    #expect(try run("diff", "--config", config, other).status == 78)
    try FileManager.default.createDirectory(atPath: stage.folder.file("image"), withIntermediateDirectories: false)
    _ = try stage.file("image/beaconmon.toml", Stage.hall)
    let image = try run("diff", "--config", config, stage.folder.file("image"))
    #expect(image.status == 1 && image.output.contains("[[region]] hall") && !image.output.contains("- exit-delay"))
    #expect(try run("diff", "--config", config, "/nowhere").status == 66)
    #expect(try run("diff", "--session").status == 64)
  }

  // MARK: Services

  @Test func `a reload reads the folder again, and an invalid drop-in keeps the previous configuration`() throws {
    let daemon = try stage.daemon(config: config, source: Stage.walk)
    let client = try stage.listener()
    try client.waitForDaemon()
    let bus = stage.bus.address
    #expect(try lines(run("diff", "--running", "--bus", bus).output)[0].hasPrefix("beaconmond runs FOLDER/beaconmon.toml, read at 20"))

    let file = try stage.file("conf.d/50-site.toml", Self.site + "[[region]]\nidentifier = \"lobby\"\nuuid = \"\(CaptureOctets.uuid)\"\n")
    let before = try run("diff", "--running", "--bus", bus)
    #expect(before.status == 1)
    #expect(lines(before.output).contains("+ FOLDER/conf.d/50-site.toml: was not read") && before.output.contains("+ region \"lobby\""))
    daemon.signal(SIGHUP)
    let reloaded = try daemon.log.next("the reload") { $0.contains("reloaded") }
    #expect(lines([reloaded]) == ["beaconmond: FOLDER/beaconmon.toml with conf.d/50-site.toml: reloaded, 2 regions"])
    try wait(for: "the new configuration") { try run("diff", "--running", "--bus", bus).status == 0 }
    let shown = try CommandLine(["status", "--bus", bus]).output
    #expect(lines(shown).contains { $0.hasPrefix("files      FOLDER/beaconmon.toml, conf.d/50-site.toml") }, "\(shown)")

    let valid = try String(contentsOfFile: file, encoding: .utf8)
    _ = try stage.file("conf.d/50-site.toml", valid + "[journal]\nretention = \"60d\"\n")
    daemon.signal(SIGHUP)
    _ = try daemon.log.next("the advice") { $0.contains("changes to [journal] require a restart") }
    try wait(for: "the restart") { try run("diff", "--running", "--bus", bus).output.first?.contains("systemctl restart") == true }

    try Data("[journal]\nretention = 1\n".utf8).write(to: URL(fileURLWithPath: file))
    daemon.signal(SIGHUP)
    _ = try daemon.log.next("the refusal") { $0.contains("keeping the previous configuration") }
    #expect(try client.property("RefusedReload", "Manager")?["reason"]?.text?.hasPrefix("\(file):2: journal: retention: ") == true)
    #expect(try run("diff", "--running", "--bus", bus).status == 78)
    // The daemon still has the region of the drop-in that was valid.
    #expect(try CommandLine(["status", "--bus", bus]).output.contains { $0.contains("lobby") })

    unlink(file)
    let after = try run("diff", "--running", "--bus", bus)
    #expect(
      after.status == 1 && after.output.contains { $0.hasPrefix("reload refused at ") } && after.output.contains("- region \"lobby\""))
    daemon.signal(SIGHUP)
    #expect(
      lines([try daemon.log.next("the reload") { $0.contains("reloaded") }]) == ["beaconmond: FOLDER/beaconmon.toml: reloaded, 1 region"])
    daemon.signal(SIGTERM)
  }

  @Test func `a daemon and a notifier with drop-ins log them at the start, and do not start with an invalid one`() throws {
    let file = try stage.file("conf.d/50-site.toml", Self.site)
    let daemon = try stage.daemon(config: config, source: Stage.walk)
    #expect(
      lines([try daemon.log.next("the config") { $0.contains("conf.d") }]) == [
        "beaconmond: FOLDER/beaconmon.toml with conf.d/50-site.toml: read"
      ])
    daemon.signal(SIGTERM)
    _ = try daemon.exitStatus()
    unlink(file)
    symlink("nowhere", file)
    let refused = try stage.daemon(config: config, source: Stage.walk)
    #expect(
      try lines(refused.log.all()) == [
        "beaconmond: FOLDER/conf.d/50-site.toml: is a link to a file that does not exist; correct the link, or remove it"
      ])
    #expect(try refused.exitStatus() == 78)
  }

  @Test func `replay uses the drop-ins of its config`() throws {
    _ = try stage.file("conf.d/a.toml", "[[region]]\nidentifier = \"hall\"\nenter-sightings = 3\n")
    let with = try CommandLine(["replay", Stage.walk, "--config", config, "--json"])
    unlink(stage.folder.file("conf.d/a.toml"))
    let without = try CommandLine(["replay", Stage.walk, "--config", config, "--json"])
    #expect(with.status == 0 && without.status == 0 && with.output != without.output)
  }
}
