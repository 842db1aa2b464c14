import Beacons
import DeliveryScheduling
import EventActions
import Events
import Instants
import MonitorConfiguration
import Publishing
import Testing

/// The tables [[notifier.target]], and actions that use them.
@Suite struct TargetTests {
  func notifier(_ text: String) throws -> NotifierSettings {
    try Configuration.parse(text: text, name: "t").notifier
  }

  func problems(_ text: String) -> [String] {
    do throws(ConfigurationError) {
      _ = try Configuration.parse(text: text, name: "t")
      return []
    } catch {
      return error.description.split(separator: "\n").map { String($0.dropFirst("t:".count)) }
    }
  }

  @Test func `every key of a webhook is read`() throws {
    let settings = try notifier(
      """
      [[notifier.target]]
      name = "till"
      give-up = "12h"
      max-age = "1h"
      per-minute = 600
      [notifier.target.webhook]
      url = "https://example.org:8443/events?x=1"
      secret = { credential = "till" }
      headers = { X-Shop = "12", Authorization = { file = "/etc/beaconmon/token" } }
      ca-file = "/etc/ssl/shop.pem"
      timeout = "5s"
      """)
    let webhook = WebhookSettings(
      url: .plain("https://example.org:8443/events?x=1"),
      headers: [.init("Authorization", .secret(.file("/etc/beaconmon/token"))), .init("X-Shop", .plain("12"))],
      secret: .credential("till"), certificates: "/etc/ssl/shop.pem", timeout: .seconds(5))
    let policy = DeliveryPolicy(giveUp: .seconds(43_200), perMinute: 600, maximumAge: .seconds(3600))
    #expect(settings.targets == [Target(name: "till", .webhook(webhook), policy)])
  }

  @Test func `the target of an action has the action's name, or else its command`() throws {
    let settings = try notifier(
      """
      [[notifier.action]]
      name = "welcome"
      command = ["play", "a.ogg"]
      [[notifier.action]]
      command = ["play", "a.ogg"]
      """)
    #expect(settings.targets.map(\.name) == ["welcome", "command play a.ogg"])
    #expect(settings.actions.map(\.targets) == [["welcome"], ["command play a.ogg"]])
  }

  @Test(arguments: [
    (
      "[[notifier.target]]\nname = \"a\"\nlog = \"x\"\n[[notifier.action]]\nname = \"a\"\nlog = \"y\"",
      "5: action \"a\": name: is already used by the target in line 2; choose another one"
    ),
    (
      "[[notifier.action]]\nname = \"a\"\nlog = \"x\"\n[[notifier.action]]\nname = \"a\"\nlog = \"y\"",
      "5: action \"a\": name: is already used by the action in line 2; choose another one"
    ),
    (
      "[[notifier.target]]\nname = \"a\"\nlog = \"x\"\n[[notifier.action]]\nname = \"b\"\ntarget = \"a\"",
      "5: action \"b\": name: is a key of the target; move it to its [[notifier.target]]"
    ),
    (
      "[[notifier.action]]\nname = \"a\\u2066b\"\nlog = \"x\"",
      "2: notifier action 1: name: \"a\\u{2066}b\" contains a character that changes the direction of text; remove it"
    ),
    (
      "[[notifier.action]]\nname = \"application x\"\nlog = \"x\"",
      "2: action \"application x\": name: has a prefix that is reserved for apps; choose another one"
    ),
    (
      "[[notifier.target]]\nname = \"[notifier.hub]\"\nlog = \"x\"",
      "2: target \"[notifier.hub]\": name: is reserved for the hub of a fleet; choose another one"
    ),
  ])
  func `the name of an action is unique`(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test func `actions name targets or define their own`() throws {
    let settings = try notifier(
      """
      [[notifier.target]]
      name = "till"
      webhook.url = "https://example.org/"
      [[notifier.target]]
      name = "light"
      command = ["light", "on"]
      [[notifier.action]]
      target = ["till", "light", "till"]
      [[notifier.action]]
      target = "light"
      events = ["exit"]
      [[notifier.action]]
      command = ["light", "on"]
      max-age = "1m"
      [[notifier.action]]
      command = ["light", "on"]
      """)
    #expect(settings.targets.map(\.name) == ["till", "light", "command light on", "command light on #2"])
    #expect(settings.targets.map(\.label) == ["till", "light", "light", "light"])
    #expect(settings.actions.map(\.targets) == [["till", "light"], ["light"], ["command light on"], ["command light on #2"]])
    #expect(settings.targets[2].policy.maximumAge == .seconds(60))
  }

  @Test func `a broker receives every event by default, and a notification only recent ones`() throws {
    let settings = try notifier(
      """
      [[notifier.action]]
      mqtt.host = "broker.local"
      [[notifier.action]]
      mqtt.host = "broker.local"
      events = ["enter"]
      [[notifier.action]]
      notification.title = "x"
      [[notifier.target]]
      name = "till"
      log = "x"
      [[notifier.target]]
      name = "home"
      mqtt.host = "broker.local"
      [[notifier.action]]
      target = ["till", "home"]
      """)
    #expect(settings.actions.map(\.triggers) == [[.enter, .exit], [.enter], [.enter, .exit], [.enter, .exit]])
    #expect(settings.actions.map(\.stateTargets) == [["mqtt broker.local:1883"], [], [], ["home"]])
    #expect(settings.targets.suffix(3).map(\.policy.maximumAge) == [nil, nil, .seconds(600)])
    #expect(settings.targets.suffix(3).map(\.label) == ["mqtt broker.local:1883", "mqtt broker.local:1883", "notification"])
  }

  @Test(
    arguments: [
      ("name = \"a\"", "1: target \"a\": has no effect; add a command, a notification, a log, a webhook or an mqtt"),
      ("log = \"x\"", "1: notifier target 1: missing key \"name\""),
      (
        "name = \"a\"\nlog = \"x\"\n[[notifier.target]]\nname = \"a\"\nlog = \"y\"",
        "5: target \"a\": name: is already used by the target in line 2; choose another one"
      ),
      (
        "name = \"a\"\nlog = \"x\"\nmqtt.host = \"h\"",
        "4: target \"a\": mqtt: cannot be combined with log; write one [[notifier.target]] for each"
      ),
      (
        "name = \"a\"\nlog = \"x\"\nregion = \"hall\"",
        "4: target \"a\": unknown key \"region\"; the keys here are name, command, timeout, notification, log, webhook, mqtt, give-up, max-age, per-minute"
      ),
      ("name = \"a\"\nlog = \"x\"\ngive-up = \"1s\"", "4: target \"a\": give-up: \"1s\" is not between 1m and 30d"),
      ("name = \"a\"\nlog = \"x\"\nper-minute = 0", "4: target \"a\": per-minute: 0 is not between 1 and 60000"),
      ("name = \"a\"\nwebhook = {}", "3: target \"a\": webhook: missing key \"url\""),
      (
        "name = \"a\"\nwebhook.url = \"ftp://x\"",
        "3: target \"a\": webhook: url: is not a web address; write one such as \"https://example.org/events\""
      ),
      (
        "name = \"a\"\nwebhook.url = \"https:///x\"",
        "3: target \"a\": webhook: url: has no host; write an address such as \"https://example.org/events\""
      ),
      (
        "name = \"a\"\nwebhook.url = \"https://u:p@x/\"",
        "3: target \"a\": webhook: url: contains a password, which other users can read; move it to a header from a file"
      ),
      (
        "name = \"a\"\nwebhook = { url = \"https://x\", secret = \"whsec_x\" }",
        "3: target \"a\": webhook: secret: must not be in this file, which other users can read; write { file = \"/etc/beaconmon/token\" } or { credential = \"token\" }"
      ),
      (
        "name = \"a\"\nwebhook = { url = \"https://x\", secret = { file = \"x\" } }",
        "3: target \"a\": webhook: secret: file: \"x\" is not an absolute path of a file"
      ),
      (
        "name = \"a\"\nwebhook = { url = \"https://x\", secret = { credential = \"../x\" } }",
        "3: target \"a\": webhook: secret: credential: \"../x\" is not the name of a credential"
      ),
      (
        "name = \"a\"\nwebhook = { url = \"https://x\", secret = { password = \"x\" } }",
        "3: target \"a\": webhook: secret: requires one of file and credential: { file = \"/etc/beaconmon/token\" } or { credential = \"token\" }"
      ),
      (
        "name = \"a\"\nwebhook = { url = \"https://x\", headers = { \"a b\" = \"1\" } }",
        "3: target \"a\": webhook: headers: \"a b\": is not the name of a header"
      ),
      (
        "name = \"a\"\nwebhook = { url = \"https://x\", headers = { Webhook-Id = \"1\" } }",
        "3: target \"a\": webhook: headers: \"Webhook-Id\": is set in every request; remove it"
      ),
      (
        "name = \"a\"\nwebhook = { url = \"https://x\", headers = { X = \"1\\r\\nY: 2\" } }",
        "3: target \"a\": webhook: headers: \"X\": contains a control character; remove it"
      ),
      (
        "name = \"a\"\nmqtt.host = \"-x\"",
        "3: target \"a\": mqtt: host: \"-x\" is not a host; write a name such as \"broker.local\" or an address"
      ),
      (
        "name = \"a\"\nmqtt = { host = \"x\", topic = \"a/#\" }",
        "3: target \"a\": mqtt: topic: \"a/#\" is not a topic; write one such as \"beaconmon/shop\", without + and #"
      ),
      ("name = \"a\"\nmqtt = { host = \"x\", ca-file = \"/x\" }", "3: target \"a\": mqtt: ca-file: is only for TLS; add tls = true"),
      (
        "name = \"a\"\nmqtt = { host = \"x\", password = { file = \"/x\" } }", "3: target \"a\": mqtt: password: requires username"
      ),
    ])
  func `an invalid target is reported with its line`(lines: String, problem: String) {
    #expect(problems("[[notifier.target]]\n\(lines)") == [problem])
  }

  @Test func `an invalid use of a target is reported`() {
    let target = "[[notifier.target]]\nname = \"till\"\nlog = \"x\"\n[[notifier.action]]\n"
    #expect(
      problems(target + "target = \"tall\"") == ["5: notifier action 1: target: there is no target \"tall\"; did you mean \"till\"?"])
    #expect(
      problems(target + "target = \"home\"") == [
        "5: notifier action 1: target: there is no target \"home\"; define it in a [[notifier.target]]"
      ])
    #expect(
      problems("[[notifier.target]]\nname = \"till\"\nlog = 3\n[[notifier.action]]\ntarget = \"till\"").map { $0.prefix(21) } == [
        "3: target \"till\": log"
      ])
    #expect(
      problems(target + "target = \"till\"\ngive-up = \"1d\"") == [
        "6: notifier action 1: give-up: is a key of the target; move it to its [[notifier.target]]"
      ])
    #expect(
      problems(target + "target = \"till\"\nlog = \"y\"") == [
        "6: notifier action 1: log: cannot be combined with target; write one [[notifier.action]] for each"
      ])
  }
}
