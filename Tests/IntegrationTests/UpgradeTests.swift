import Foundation
import TestSupport
import Testing

/// Opens the state that earlier releases wrote with the present programs.
///
/// Tests/Upgrade/record-state made the files; each release adds its own.
@Suite struct UpgradeTests {
  /// The releases whose files are in Tests/Fixtures.
  private static let versions: [String] = {
    let folder = URL(fileURLWithPath: Programs.fixture("README.md")).deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("state-") }.map { String($0.dropFirst("state-".count)) }.sorted()
  }()

  /// The files of a release in a temporary folder.
  private final class Device {
    let stage: Stage
    let config: String

    init(_ version: String) throws {
      stage = try Stage()
      let files = Programs.fixture("state-\(version)")
      for name in try FileManager.default.contentsOfDirectory(atPath: files) {
        try FileManager.default.copyItem(atPath: "\(files)/\(name)", toPath: stage.folder.file(name))
      }
      let text = try String(contentsOfFile: stage.folder.file("beaconmon.toml"), encoding: .utf8)
      config = try stage.file("edited.toml", text.replacing("FOLDER", with: stage.folder.path))
    }

    /// Starts the daemon and waits until it owns its name.
    func daemon() throws -> RunningProgram {
      let listener = try stage.listener()
      let daemon = try RunningProgram(
        Programs.daemon, ["--bus", stage.bus.address, "--config", config],
        environment: ["STATE_DIRECTORY": stage.folder.path, "DBUS_SYSTEM_BUS_ADDRESS": stage.bus.address])
      try listener.waitForDaemon()
      return daemon
    }

    func answers(_ words: String...) throws -> [JSON] {
      let result = try CommandLine(words + ["--json", "--bus", stage.bus.address])
      #expect(result.status == 0)
      return try result.output.map { try JSON(parsing: $0) }
    }

    /// The names of files that were moved aside because they could not be read.
    var movedAside: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: stage.folder.path).filter { $0.contains(/\.db\.[0-9]$/) } }
    }
  }

  @Test func `the fixtures contain the state of the first release`() {
    #expect(Self.versions.contains("0.1.0"))
  }

  @Test(arguments: versions)
  func `the edited config of an earlier release is valid`(version: String) throws {
    let device = try Device(version)
    #expect(try CommandLine(["config", "check", device.config]).status == 0)
  }

  @Test(arguments: versions)
  func `the journal of an earlier release keeps its events, their numbers and its identity, and continues`(version: String) throws {
    let device = try Device(version)
    let daemon = try device.daemon()
    let events = try device.answers("events")
    let told = events.filter { ["enter", "exit", "dwell"].contains($0["event"]?.text) }
    #expect(told.compactMap { $0["event"]?.text } == ["enter", "enter", "dwell", "exit", "exit"])
    #expect(Set(events.compactMap { $0["journal"]?.text }).count == 1)
    let numbers = events.compactMap { $0["sequence"]?.number }
    #expect(numbers == numbers.sorted() && numbers.first == 1)
    #expect(try device.movedAside == [])
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  @Test(arguments: versions)
  func `the decisions of an earlier release apply`(version: String) throws {
    let device = try Device(version)
    let daemon = try device.daemon()
    let shown = try CommandLine(["privacy", "--bus", device.stage.bus.address])
    #expect(shown.status == 0)
    #expect(shown.output.contains { $0.contains("61234") && $0.contains("always") })
    #expect(try device.movedAside == [])
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  @Test(arguments: versions)
  func `the deliveries that waited in an earlier release still wait`(version: String) throws {
    let device = try Device(version)
    let notifier = try device.stage.notifier(config: device.config, "--state", device.stage.folder.path)
    let result = try CommandLine(program: Programs.notifier, ["--outbox", "--state", device.stage.folder.path])
    #expect(result.output == ["till: 5 waiting"])
    #expect(try device.movedAside == [])
    notifier.signal(SIGTERM)
    #expect(try notifier.exitStatus() == 0)
  }
}
