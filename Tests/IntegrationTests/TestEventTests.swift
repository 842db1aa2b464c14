import Foundation
import TestSupport
import Testing

/// The command `beaconmon-notifier --test REGION EVENT`.
@Suite struct TestEventTests {
  private struct Run {
    let status: Int32
    let output: [String]
    let log: [String]
  }

  private func run(_ stage: Stage, _ actions: String, _ arguments: [String] = ["--test", "hall", "enter"]) throws -> Run {
    let text = Stage.hall + actions.replacingOccurrences(of: "FOLDER", with: stage.folder.path)
    let config = try stage.file("config.toml", text)
    let program = try RunningProgram(Programs.notifier, ["--config", config, "--desktop-bus", stage.bus.address] + arguments)
    let status = try program.exitStatus()
    return Run(status: status, output: try program.output.all(), log: try program.log.all())
  }

  @Test func `every target receives one event that is marked as a test, and each is named`() throws {
    let stage = try Stage()
    let desktop = try RunningProgram(Programs.python, [Programs.peer("desktop.py"), stage.bus.address])
    _ = try desktop.output.next("the desktop")
    let server = try WebhookServer()
    let broker = try MosquittoBroker(encrypted: false)
    let live = try broker.subscribe("#")
    let run = try run(
      stage,
      """
      [[notifier.target]]
      name = "till"
      webhook = { url = "\(server.url("/200"))", ca-file = "\(server.certificate?.file ?? "")" }
      [[notifier.target]]
      name = "home"
      mqtt = { host = "localhost", port = \(broker.port), topic = "shop", discovery = "homeassistant" }
      [[notifier.action]]
      target = ["till", "home"]
      [[notifier.action]]
      command = ["/bin/sh", "-c", "echo $BEACONMON_TEST $BEACONMON_EVENT $BEACONMON_REGION > FOLDER/call"]
      [[notifier.action]]
      notification = { title = "{region}" }
      [[notifier.action]]
      log = "{event} {region}"
      [[notifier.action]]
      events = ["exit"]
      command = ["touch", "FOLDER/not-this"]
      """)
    #expect(run.status == 0)
    #expect(
      run.output.map { $0.split(separator: ": ").last } == Array(repeating: "delivered", count: 5)
        && Set(run.output).isSuperset(of: ["till: delivered", "home: delivered"]))
    #expect(run.log.contains("beaconmon-notifier: enter hall"))
    let event = try JSON(parsing: try #require(try server.requests().first).body)
    #expect(event["test"] == true && event["event"] == "enter" && event["region"] == "hall" && event["state"] == "inside")
    #expect(try String(contentsOfFile: stage.folder.file("call"), encoding: .utf8) == "true enter hall\n")
    #expect(!FileManager.default.fileExists(atPath: stage.folder.file("not-this")))
    #expect(try JSON(parsing: try desktop.output.next("a notification"))["title"] == "hall")
    try wait(for: "the event on the broker") { try live.messages().contains { $0.topic == "shop/events" } }
    // The broker retains no message: no state, no announcement, no status.
    #expect(try broker.subscribe("#").messages() == [])
  }

  @Test func `a failed target is named with its reason, and the exit status reports it`() throws {
    let stage = try Stage()
    let server = try WebhookServer()
    let run = try run(
      stage,
      """
      [[notifier.target]]
      name = "till"
      webhook = { url = "\(server.url("/500"))", ca-file = "\(server.certificate?.file ?? "")" }
      [[notifier.action]]
      target = "till"
      [[notifier.action]]
      command = ["/bin/sh", "-c", "echo no >&2; exit 3"]
      [[notifier.action]]
      log = "{event}"
      """)
    #expect(run.status == 69)
    #expect(
      Set(run.output) == [
        "till: the server answered 500", "command /bin/sh -c echo no >&2; exit 3: exit code 3: no", "log {event}: delivered",
      ])
  }

  @Test func `a target without its secret is named, and the others receive the event`() throws {
    let stage = try Stage()
    let run = try run(
      stage,
      """
      [[notifier.target]]
      name = "home"
      mqtt = { host = "localhost", username = "shop", password = { credential = "broker" } }
      [[notifier.target]]
      name = "book"
      log = "{event}"
      [[notifier.action]]
      target = ["home", "book"]
      """)
    #expect(run.status == 69)
    #expect(
      run.output == [
        "home: credential broker: the unit does not have it; add LoadCredential=broker:FILE to it", "book: delivered",
      ])
  }

  @Test(
    arguments: [
      (["--test", "hal", "enter"], 64, "there is no region \"hal\" in FOLDER/config.toml"),
      (
        ["--test", "hall", "leave"], 64,
        "\"leave\" is not an event; use one of enter, exit, dwell, cross, state, depart, hurry, arrive, miss, beacon-missing, beacon-weak, beacon-moved, beacon-duplicate, beacon-recovered"
      ),
      (["--test", "hall", "exit"], 78, "FOLDER/config.toml has no action for exit at \"hall\""),
    ] as [([String], Int32, String)])
  func `an impossible test is refused in one line`(arguments: [String], status: Int32, line: String) throws {
    let stage = try Stage()
    let run = try run(stage, "[[notifier.action]]\nevents = [\"enter\"]\nlog = \"x\"", arguments)
    #expect(run.status == status)
    #expect(run.log == ["beaconmon-notifier: " + line.replacingOccurrences(of: "FOLDER", with: stage.folder.path)])
  }
}
