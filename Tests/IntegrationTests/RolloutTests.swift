import FleetMessages
import Foundation
import TestSupport
import Testing

/// Rollouts of a hub to a real notifier and daemon, through a real broker.
@Suite struct RolloutTests {
  /// A device of a fleet, and the author of its rollouts.
  final class Scene {
    let stage: Stage
    let broker: MosquittoBroker
    let address: FleetAddress
    let config: String
    private let subscriber: BrokerSubscriber
    private let feed: CaptureFeed
    private let daemon: RunningProgram
    private var notifier: RunningProgram
    private var lastMessage: Int64 = 0

    init() throws {
      stage = try Stage()
      broker = try MosquittoBroker(requiresCertificates: true)
      address = try #require(FleetAddress(site: "berlin", device: "door"))
      subscriber = try broker.subscribe(address.topic, isHexadecimal: true)
      try Child.run("/usr/bin/openssl", ["genpkey", "-algorithm", "ed25519", "-out", stage.folder.file("author.pem")], errors: .nothing)
      let key = stage.folder.file("author.der")
      try Child.run(
        "/usr/bin/openssl",
        ["pkey", "-in", stage.folder.file("author.pem"), "-pubout", "-outform", "DER", "-out", key], errors: .nothing)
      let own = try broker.client(named: address.commonName)
      let server = try #require(broker.certificate)
      config = try stage.file(
        "config.toml",
        """
        [[region]]
        identifier = "hall"
        uuid = "\(CaptureOctets.uuid)"
        major = 1
        [notifier.hub]
        url = "mqtts://localhost:\(broker.port)"
        site = "berlin"
        device = "door"
        certificate = "\(own.file)"
        key = { file = "\(own.key)" }
        ca = "\(server.file)"
        digests = "off"
        rollout-key = "\(try Data(contentsOf: URL(fileURLWithPath: key)).suffix(32).base64EncodedString())"

        """)
      feed = try CaptureFeed(stage)
      daemon = try stage.daemon(config: config, source: feed.path)
      notifier = try stage.notifier(config: config, "--state", stage.folder.file("state"))
      try wait(for: "the first report") { try report() != nil }
    }

    /// The last report of the device.
    func report() throws -> DeviceReport? {
      for message in try subscriber.messages().reversed() {
        if case .report(let report) = try FleetMessage(message.octets).body { return report }
      }
      return nil
    }

    func signed(_ revision: Int64, _ dropIn: String, for audience: String = "berlin") throws -> SignedRollout {
      let rollout = Rollout(revision: revision, created: 0, audience: [try #require(RolloutAudience(audience))], dropIn: dropIn)
      var signed = SignedRollout(envelope: rollout.octets, signature: [])
      let (content, signature) = (try stage.file("signed", signed.signedOctets), stage.folder.file("signature"))
      try Child.run(
        "/usr/bin/openssl",
        ["pkeyutl", "-sign", "-rawin", "-inkey", stage.folder.file("author.pem"), "-in", content, "-out", signature], errors: .nothing)
      signed.signature = Array(try Data(contentsOf: URL(fileURLWithPath: signature)))
      return signed
    }

    /// Sends a rollout as the hub does, and waits until a report acknowledges it.
    func send(_ payload: [UInt8]) throws -> RolloutReport? {
      lastMessage += 1
      try broker.publish(HubMessage(number: lastMessage, kind: .rollout, payload: payload).octets, to: address.commandTopic)
      try wait(for: "the acknowledgement") { try report()?.acknowledged.contains(lastMessage) == true }
      return try report()?.rollout
    }

    /// Sends a rollout, and waits until the notifier logs that it cannot be handled now.
    func refuse(_ payload: [UInt8], for reason: String) throws {
      lastMessage += 1
      try broker.publish(HubMessage(number: lastMessage, kind: .rollout, payload: payload).octets, to: address.commandTopic)
      _ = try notifier.log.next("the reason") { $0.contains("a message of the hub cannot be handled now: \(reason)") }
    }

    func status() throws -> JSON {
      try JSON(parsing: try #require(CommandLine(["status", "--json", "--bus", stage.bus.address]).output.first))
    }

    /// The regions that the daemon has.
    func regions() throws -> [String] { try status()["regions"]?.list?.compactMap { $0["identifier"]?.text } ?? [] }

    func stopNotifier() throws {
      notifier.signal(SIGKILL)
      _ = try notifier.exitStatus()
    }

    func restartNotifier() throws {
      try stopNotifier()
      notifier = try stage.notifier(config: config, "--state", stage.folder.file("state"))
    }
  }

  static let yard = """
    [ranging]
    path-loss-exponent = 3.5
    [[region]]
    identifier = "yard"
    uuid = "\(CaptureOctets.uuid)"
    major = 2

    """

  @Test func `a signed rollout reaches the daemon, is confirmed, and a hostile hub changes nothing`() throws {
    let scene = try Scene()
    #expect(try scene.send(scene.signed(3, Self.yard).octets) == RolloutReport(revision: 3, state: .onTrial))
    try wait(for: "the revision") { try scene.report()?.revision == 3 }
    try wait(for: "the region of the rollout") { try scene.regions() == ["hall", "yard"] }
    #expect(try scene.status()["configuration"]?["rollout"]?.number == 3)
    let shown = try CommandLine(["config", "show", scene.config]).output
    #expect(shown.contains { $0.contains("path-loss-exponent = 3.5") && $0.contains("rollout 3:2") })
    #expect(
      try CommandLine(["status", "--bus", scene.stage.bus.address]).output.contains {
        $0.hasPrefix("rollout") && $0.contains("revision 3, on trial since 20")
      })

    var changed = try scene.signed(4, "[ranging]\n").octets
    changed[20] ^= 1
    var forged = try scene.signed(4, "[ranging]\n")
    forged.signature[0] ^= 1
    let hostile: [([UInt8], String)] = [
      (forged.octets, "the signature is not by the rollout-key"),
      (try scene.signed(4, "", for: "berlin.hall").octets, "it is not for berlin.door"),
      (try scene.signed(2, "").octets, "revision 3 was taken before, and a later one has to be greater"),
      (try scene.signed(3, "").octets, "revision 3 was taken before, and a later one has to be greater"),
      ([0x9B] + Array(repeating: 0xFF, count: 200), "the rollout cannot be read: octet 0: the number or the length is beyond its limit"),
    ]
    for (payload, text) in hostile {
      let report = try scene.send(payload)
      #expect((report?.state, report?.text) == (.refused, text))
    }
    #expect(try scene.send(changed)?.state == .refused)
    let forbidden = try scene.send(scene.signed(5, "[ranging]\n[[notifier.action]]\ncommand = [\"/bin/true\"]\n").octets)
    #expect(forbidden?.state == .refused)
    #expect(forbidden?.text.hasPrefix("rollout 5:2: notifier: must not be in a rollout") == true)
    #expect(try scene.regions() == ["hall", "yard"])
    #expect(try scene.report()?.revision == 3)

    // The rollout in use is on trial all the time.
    #expect(try scene.send(scene.signed(6, Self.yard.replacing("yard", with: "shop")).octets)?.state == .onTrial)
    try wait(for: "the confirmation", within: 150) { try scene.report()?.rollout == RolloutReport(revision: 6, state: .confirmed) }
    #expect(try scene.regions() == ["hall", "shop"])
    try scene.restartNotifier()
    try wait(for: "a report after the restart") { try scene.report()?.rollout == RolloutReport(revision: 6, state: .confirmed) }
  }

  @Test func `a rollout that comes during an edit of the configuration is taken after it`() throws {
    let scene = try Scene()
    let whole = try Data(contentsOf: URL(fileURLWithPath: scene.config))
    try (whole + Data("[ranging\n".utf8)).write(to: URL(fileURLWithPath: scene.config))
    let payload = try scene.signed(3, Self.yard).octets
    try scene.refuse(payload, for: "rollout 3 needs a valid configuration: \(scene.config):")
    #expect(try scene.report()?.rollout == nil)
    try whole.write(to: URL(fileURLWithPath: scene.config))
    #expect(try scene.send(payload)?.state == .onTrial)
  }

  @Test func `a notifier that is killed again and again returns to the former configuration`() throws {
    let scene = try Scene()
    #expect(try scene.send(scene.signed(3, Self.yard).octets)?.state == .onTrial)
    try wait(for: "the region of the rollout") { try scene.regions() == ["hall", "yard"] }
    for _ in 0..<10 { try scene.restartNotifier() }
    try wait(for: "the rollback") { try scene.report()?.rollout?.state == .rolledBack }
    try wait(for: "the former configuration") { try scene.regions() == ["hall"] }
    #expect(try scene.status()["configuration"]?["rollout"] == nil)
    // The hub repeats it, and it is not taken again.
    #expect(try scene.send(scene.signed(3, Self.yard).octets)?.state == .rolledBack)
    #expect(try scene.regions() == ["hall"])
    #expect(try scene.report()?.revision == 0)
  }

  @Test func `a file of rollouts that another program has written gives the daemon no other keys`() throws {
    let scene = try Scene()
    var record = RolloutRecord()
    let rollout = try scene.signed(9, "source = \"none\"\n[privacy]\nallow = []\n" + Self.yard)
    let key = Array(try Data(contentsOf: URL(fileURLWithPath: scene.stage.folder.file("author.der"))).suffix(32))
    (record.current, record.key, record.greatest, record.digest) = (rollout, key, 9, rollout.digest)
    _ = try scene.stage.file("rollouts", record.octets)
    let caller = try BusClient(scene.stage.bus)
    #expect(try caller.call("org.beaconmon.Monitor1.Manager", "Reload") == .values([]))
    #expect(try scene.regions() == ["hall"])
    let status = try scene.status()["configuration"]
    #expect(status?["rollout"] == nil)
    #expect(status?["rolloutNote"]?.text?.hasPrefix("rollout 9:1: source: must not be in a rollout") == true)
    let check = try CommandLine(["config", "check", scene.config])
    #expect((check.output + check.errors).contains { $0.contains("rollout 9:1: warning: source: must not be in a rollout") })
  }

  @Test func `a trial that is still open when the notifier ends is ended by the daemon`() throws {
    let scene = try Scene()
    #expect(try scene.send(scene.signed(3, Self.yard).octets)?.state == .onTrial)
    try wait(for: "the region of the rollout") { try scene.regions() == ["hall", "yard"] }
    let hub = try scene.status()["hub"]?["rollout"]
    #expect((hub?["revision"]?.number, hub?["state"]?.text) == (3, "onTrial"))
    #expect(hub?["since"]?.text?.hasPrefix("20") == true)
    try scene.stopNotifier()
    // The file of a trial whose end is near.
    let file = scene.stage.folder.file("rollouts")
    var record = try #require(RolloutRecord(Array(try Data(contentsOf: URL(fileURLWithPath: file)))))
    let seconds = try #require(record.trial?.end.seconds)
    record.trial?.end.seconds = seconds - 655
    try Data(record.octets).write(to: URL(fileURLWithPath: file), options: .atomic)
    let caller = try BusClient(scene.stage.bus)
    #expect(try caller.call("org.beaconmon.Monitor1.Manager", "Reload") == .values([]))
    #expect(try scene.regions() == ["hall", "yard"])
    try wait(for: "the former configuration") { try scene.regions() == ["hall"] }
    let note = try scene.status()["configuration"]?["rolloutNote"]?.text
    #expect(note?.contains("the trial of rollout 3 has ended without the notifier") == true)
  }
}
