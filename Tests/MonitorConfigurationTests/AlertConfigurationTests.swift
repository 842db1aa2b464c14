import DeliveryScheduling
import EventActions
import Events
import Instants
import Testing

@testable import MonitorConfiguration

@Suite struct AlertConfigurationTests {
  private func problems(_ text: String) -> [String] {
    do {
      _ = try AlertConfiguration.parse(text: text, name: "alerts.toml")
      return []
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  @Test func `limits, targets and actions are read in the form of beaconmon.toml`() throws {
    let configuration = try AlertConfiguration.parse(
      text: """
        [alerts]
        silent-after = "10m"
        missing-after = "2d"
        free-space = "1GB"
        disks = ["/var/lib/postgresql"]
        [[notifier.target]]
        name = "ops"
        webhook = { url = "https://ops.example/alerts" }
        give-up = "1d"
        [[notifier.action]]
        target = "ops"
        [[notifier.action]]
        name = "berlin"
        site = "berlin"
        alerts = ["device-silent", "beacon-missing"]
        log = "{site}: {text}"
        """, name: "alerts.toml")
    #expect(configuration.limits.silence == .seconds(600) && configuration.limits.missing == .seconds(2 * 86_400))
    #expect(configuration.limits.freeSpace == 1_000_000_000 && configuration.disks == ["/var/lib/postgresql"])
    #expect(configuration.targets.map(\.name) == ["ops", "berlin"] && configuration.targets[0].policy.giveUp == .seconds(86_400))
    #expect(configuration.actions.targets(for: .deviceSilent, site: "berlin") == ["ops", "berlin"])
    #expect(configuration.actions.targets(for: .siteSilent, site: "berlin") == ["ops"])
    #expect(configuration.actions.targets(for: .deviceSilent, site: "paris") == ["ops"])
    #expect(configuration.actions.targets(for: .backlog, site: nil) == ["ops"])
  }

  @Test func `a silence that is shorter than the pauses of an idle device is a fault`() {
    var limits = AlertLimits()
    #expect(limits.fault == nil && limits.silence == .seconds(900))
    limits.silence = .seconds(420)
    #expect(limits.fault == nil)
    limits.silence = .seconds(419)
    #expect(limits.fault?.contains("only a report every 5 minutes") == true && limits.fault?.hasSuffix("write at least \"7m\"") == true)
  }

  @Test func `an empty file has the defaults`() throws {
    let configuration = try AlertConfiguration.parse(text: "", name: "alerts.toml")
    #expect(configuration == AlertConfiguration() && configuration.limits == AlertLimits())
  }

  @Test(
    arguments: [
      ("[alerts]\nsilent-after = \"0s\"", "alerts.toml:2: alerts: silent-after: "),
      ("[alerts]\ndisks = \"lib\"", "alerts.toml:2: alerts: disks: \"lib\" is relative to the current folder; write an absolute path"),
      ("[alert]\n", "alerts.toml:1: unknown key \"alert\"; did you mean \"alerts\"?"),
      ("[[notifier.action]]\nlog = \"x\"\nregion = \"door\"", "alerts.toml:3: notifier action 1: unknown key \"region\""),
      (
        "[[notifier.action]]\nlog = \"x\"\nsite = \"Berlin\"",
        "alerts.toml:3: notifier action 1: site: \"Berlin\" is not the name of a site"
      ),
      (
        "[[notifier.action]]\nlog = \"x\"\nalerts = \"silent\"",
        "alerts.toml:3: notifier action 1: alerts: \"silent\" is not an alert; use one of"
      ),
      ("[[notifier.action]]\nnotification = { title = \"x\" }", "notification: requires a desktop, and the hub has none; use a command"),
      (
        "[[notifier.action]]\nmqtt = { host = \"b\", location = true }", "location: is about the regions and beacons of a device; remove it"
      ),
      ("[[notifier.target]]\nname = \"x\"", "alerts.toml:1: target \"x\": has no effect; add a command"),
    ])
  func `a fault is reported with its place and a remedy`(_ text: String, _ message: String) {
    let problems = problems(text)
    #expect(problems.count == 1 && problems[0].contains(message), "\(problems)")
  }
}
