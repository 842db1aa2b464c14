import Foundation
import TestSupport
import Testing

/// The notifier and a real broker.
@Suite struct BrokerTests {
  private func home(_ broker: MosquittoBroker, regions: String = "") -> String {
    """
    [[notifier.target]]
    name = "home"
    [notifier.target.mqtt]
    host = "localhost"
    port = \(broker.port)
    tls = true
    ca-file = "\(broker.certificate?.file ?? "")"
    username = "\(MosquittoBroker.username)"
    password = { credential = "broker" }
    topic = "shop"
    discovery = "homeassistant"
    [[notifier.action]]
    target = "home"
    \(regions)
    """
  }

  private let credentials = ["CREDENTIALS_DIRECTORY": "FOLDER"]
  private let files = ["broker": MosquittoBroker.password + "\n"]

  @Test func `regions are announced to the broker, and their states are retained`() throws {
    let broker = try MosquittoBroker()
    let live = try broker.subscribe("shop/#")
    let scene = try NotifierScene(home(broker), files: files, environment: credentials)
    try scene.feed.hear(minor: 3, at: 0)
    try scene.feed.hear(minor: 9, at: 100)
    func events() throws -> [JSON] {
      try live.messages().filter { $0.topic == "shop/events" }.map { try JSON(parsing: $0.payload) }
    }
    // Without `events` a broker receives every change, so also of six regions without a visitor.
    try wait(for: "the events") {
      try events().contains { $0["event"] == "exit" } && events().contains { $0["event"] == "enter" && $0["region"] == "exhibit 9" }
    }
    let sequences = try events().compactMap { $0["sequence"]?.number }
    #expect(sequences == sequences.sorted())
    try wait(for: "the states") {
      let kept = try broker.subscribe("shop/region/#").messages()
      return kept.contains { $0.topic == "shop/region/exhibit_203/state" && $0.payload == "outside" }
        && kept.contains { $0.topic == "shop/region/exhibit_209/state" && $0.payload == "inside" }
    }
    #expect(try live.messages().contains { $0.topic == "shop/status" && $0.payload == "online" })
    let announced = try broker.subscribe("homeassistant/#").messages()
    #expect(announced.count == 18)
    let sensor = try #require(
      announced.first { $0.topic.hasPrefix("homeassistant/binary_sensor/") && $0.topic.hasSuffix("/exhibit_203/config") })
    let configuration = try JSON(parsing: sensor.payload)
    #expect(configuration["state_topic"] == "shop/region/exhibit_203/state")
    #expect(configuration["availability_topic"] == "shop/status")
    scene.notifier.signal(SIGKILL)
    try wait(for: "the last will") { try live.messages().last { $0.topic == "shop/status" }?.payload == "offline" }
  }

  @Test func `a region that is no longer sent to the broker disappears there`() throws {
    let broker = try MosquittoBroker()
    let scene = try NotifierScene(home(broker), files: files, environment: credentials)
    try wait(for: "nine regions") { try broker.subscribe("homeassistant/#").messages().count == 18 }
    try scene.reconfigure(home(broker, regions: "region = [\"exhibit 1\", \"exhibit 2\"]"))
    try wait(for: "two regions") { try broker.subscribe("homeassistant/#").messages().count == 4 }
  }

  @Test func `a new broker, or one that lost its messages, receives the present states of all regions`() throws {
    let broker = try MosquittoBroker()
    let scene = try NotifierScene("[[notifier.action]]\nlog = \"{region} is {state}\"", files: files, environment: credentials)
    try scene.feed.hear(minor: 1, at: 0)
    try scene.feed.hear(minor: 2, at: 100)
    _ = try scene.notifier.log.next("the second visit") { $0.contains("exhibit 2 is inside") }
    func states() throws -> [String: String] {
      let kept = try broker.subscribe("shop/region/+/state").messages().map { ($0.topic.split(separator: "/")[2], $0.payload) }
      return Dictionary(uniqueKeysWithValues: kept.map { (String($0), $1) })
    }
    func isToldAll() throws -> Bool {
      let states = try states()
      let beacons = try broker.subscribe("shop/region/+/beacon").messages()
      return beacons.count == 9 && beacons.allSatisfy { $0.payload == ($0.topic == "shop/region/exhibit_202/beacon" ? "1-2" : "none") }
        && states.count == 9 && states["exhibit_202"] == "inside"
        && states.allSatisfy { $0.key == "exhibit_202" || $0.value == "outside" }
    }
    try scene.reconfigure(home(broker))
    try wait(for: "the states", until: isToldAll)
    broker.stop()
    try broker.start()
    try wait(for: "the states again", until: isToldAll)
    // A notifier that was away during the change needs no event either.
    try scene.killNotifier()
    broker.stop()
    try broker.start()
    try scene.startNotifier()
    try wait(for: "the states from the daemon", until: isToldAll)
  }

  /// The statuses of a target after it was online for the first time.
  private func statuses(_ live: BrokerSubscriber, _ topic: String = "shop/status") throws -> [String] {
    Array(try live.messages().filter { $0.topic == topic }.map(\.payload).drop { $0 != "online" })
  }

  @Test func `two targets at one broker stay connected, and a reload without a change keeps both connections`() throws {
    let broker = try MosquittoBroker(encrypted: false)
    let live = try broker.subscribe("#")
    let targets = ["shop", "till"].map { name in
      """
      [[notifier.target]]
      name = "\(name)"
      mqtt = { host = "localhost", port = \(broker.port), topic = "\(name)" }
      """
    }
    let actions = targets.joined(separator: "\n") + "\n[[notifier.action]]\ntarget = [\"shop\", \"till\"]\n"
    let scene = try NotifierScene(actions)
    try wait(for: "both") { try statuses(live) == ["online"] && statuses(live, "till/status") == ["online"] }
    try scene.reconfigure(actions)
    _ = try scene.notifier.log.next("the reload") { $0.contains("reloaded") }
    try scene.feed.hear(minor: 1, at: 0)
    try wait(for: "the event at both") {
      try ["shop", "till"].allSatisfy { name in try live.messages().contains { $0.topic == "\(name)/events" } }
    }
    #expect(try statuses(live) == ["online"] && statuses(live, "till/status") == ["online"])
  }

  @Test func `beacons of the regions are published while the daemon ranges them`() throws {
    let broker = try MosquittoBroker(encrypted: false)
    let live = try broker.subscribe("#")
    let scene = try NotifierScene(
      """
      [[notifier.target]]
      name = "home"
      mqtt = { host = "localhost", port = \(broker.port), topic = "shop", discovery = "ha", beacons = true, room = "hall" }
      [[notifier.action]]
      target = "home"
      """)
    try wait(for: "the daemon to range") { try live.messages().contains { $0.topic == "shop/status" && $0.payload == "online" } }
    for second in 0..<5 { try scene.feed.hear(minor: 3, at: Double(second)) }
    let id = "\(CaptureOctets.uuid)-1-3"
    try wait(for: "the beacon") {
      let topics = Set(try live.messages().map(\.topic))
      return topics.contains("shop/beacon/\(id)/state") && topics.contains("room_presence/hall")
        && topics.contains { $0.hasPrefix("ha/sensor/") && $0.hasSuffix("_\(id)/distance/config") }
    }
    #expect(try live.messages().contains { $0.topic == "shop/beacon/\(id)/presence" && $0.payload == "home" })
    #expect(try broker.subscribe("shop/beacon/+/state").messages().isEmpty)
  }

  @Test func `states that the daemon refuses at first are requested again`() throws {
    let broker = try MosquittoBroker()
    let stage = try Stage()
    let region = "[[region]]\nidentifier = \"exhibit 1\"\nuuid = \"\(CaptureOctets.uuid)\"\n"
    let config = try stage.file("config.toml", region + home(broker))
    _ = try stage.file("broker", MosquittoBroker.password + "\n")
    let daemon = try RunningProgram(Programs.python, [Programs.peer("reluctant_daemon.py"), stage.bus.address])
    #expect(try daemon.output.next() == "ready")
    let notifier = try RunningProgram(
      Programs.notifier, ["--bus", stage.bus.address, "--config", config, "--state", stage.folder.file("state")],
      environment: ["CREDENTIALS_DIRECTORY": stage.folder.path])
    let warning = try notifier.log.next("the refusal") { $0.contains("warning") }
    #expect(warning == "beaconmon-notifier: warning: beaconmond does not report its regions: out of memory; retrying")
    try wait(for: "the state") {
      try broker.subscribe("shop/region/+/state").messages().contains { $0.payload == "inside" }
    }
    notifier.signal(SIGTERM)
    daemon.signal(SIGKILL)
  }

  @Test func `a broker that is killed and restarted receives every event, and the daemon's absence`() throws {
    let broker = try MosquittoBroker()
    let scene = try NotifierScene(home(broker), files: files, environment: credentials)
    try scene.feed.hear(minor: 1, at: 0)
    try wait(for: "the first event") {
      try broker.subscribe("shop/region/#").messages().contains { $0.topic.hasSuffix("exhibit_201/state") }
    }
    broker.stop()
    for minor in UInt16(2)...5 { try scene.feed.hear(minor: minor, at: Double(minor)) }
    _ = try scene.notifier.log.next("the loss") { $0.contains("home: not connected") || $0.contains("home for event") }
    try broker.start()
    let live = try broker.subscribe("shop/#")
    try wait(for: "the rest") {
      let sequences = try live.messages().filter { $0.topic == "shop/events" }.compactMap {
        try JSON(parsing: $0.payload)["sequence"]?.number
      }
      return Set(sequences).isSuperset(of: [2, 3, 4, 5])
    }
    try scene.killDaemon()
    try wait(for: "offline") { try live.messages().last { $0.topic == "shop/status" }?.payload == "offline" }
  }
}
