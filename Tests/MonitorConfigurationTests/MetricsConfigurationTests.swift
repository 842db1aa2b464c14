import Foundation
import LocalEndpoints
import MonitorConfiguration
import TestSupport
import Testing

/// The tables `metrics` of the daemon and of the notifier.
@Suite struct MetricsConfigurationTests {
  private func problems(_ text: String) -> String {
    do throws(ConfigurationError) {
      _ = try Configuration.parse(text: text, name: "t")
      return ""
    } catch {
      return error.description
    }
  }

  @Test func `metrics are off by default, and each program has its own endpoint`() throws {
    #expect(try Configuration.parse(text: "source = \"auto\"", name: "t").metrics == nil)
    #expect(try Configuration.parse(text: "source = \"auto\"\n[metrics]\n", name: "t").metrics == nil)
    let both = try Configuration.parse(
      text: """
        source = "auto"
        [metrics]
        listen = "/run/a.sock"
        access = "owner"
        [notifier.metrics]
        listen = "127.0.0.1:9852"
        """, name: "t")
    #expect(both.metrics == .socket(path: "/run/a.sock", access: .owner))
    #expect(both.notifier.metrics == .port(.ipv4(127, 0, 0, 1), 9852))
  }

  @Test func `an endpoint that other machines could reach is an error`() {
    #expect(
      problems("[metrics]\nlisten = \"0.0.0.0:9851\"")
        == "t:2: metrics: listen: \"0.0.0.0\" is not an address of the loopback interface; write 127.0.0.1:9851 or a path, and let a proxy serve the network"
    )
    #expect(problems("[notifier.metrics]\nlisten = 9852").hasPrefix("t:2: notifier: metrics: listen: must be a text such as"))
  }

  @Test func `an access without effect is an error`() {
    #expect(problems("[metrics]\naccess = \"group\"").hasPrefix("t:2: metrics: access: has no effect without listen"))
    #expect(
      problems("[metrics]\nlisten = \"127.0.0.1:1\"\naccess = \"group\"").hasPrefix("t:3: metrics: access: has no effect for a port"))
    #expect(problems("[metrics]\nlisten = \"/a\"\naccess = \"0660\"").contains("write \"owner\", \"group\" or \"everyone\""))
  }

  @Test func `a socket in a missing folder has a warning, unless the unit creates the folder`() throws {
    func warnings(_ path: String) throws -> [String] {
      let document = try ConfigurationDocument.parse(text: "[metrics]\nlisten = \"\(path)\"", name: "t")
      return document.machineWarnings(for: [.daemon], environment: [:]).map { "\($0)" }
    }
    #expect(try warnings("/nowhere/metrics.sock").first?.hasPrefix("t:2: metrics: listen: the folder /nowhere is missing") == true)
    let folder = try TemporaryDirectory()
    #expect(try warnings(folder.file("metrics.sock")) == [])
    try Data().write(to: URL(fileURLWithPath: folder.file("file")))
    #expect(try warnings(folder.file("file")).first?.contains("is not a socket; remove it") == true)
    if !FileManager.default.fileExists(atPath: "/run/beaconmon") { #expect(try warnings("/run/beaconmon/metrics.sock") == []) }
  }
}
