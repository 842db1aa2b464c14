import Beacons
import EventActions
import FleetMessages
import Foundation
import Instants
@testable import MonitorConfiguration
import Ranging
import Regions
import TestSupport
import Testing
import Venues

/// A rollout beside a config: which keys it may set, and that a bad one is left out.
@Suite struct RolledOutTests {
  private let folder: TemporaryDirectory
  private let main: String
  private let key = [UInt8](repeating: 0, count: 32)

  init() throws {
    folder = try TemporaryDirectory()
    main = folder.file("beaconmon.toml")
    try write("beaconmon.toml", Self.base)
  }

  private static let base =
    HubTests.required + """
      rollout-key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
      [ranging]
      path-loss-exponent = 2.5
      [[region]]
      identifier = "hall"
      uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
      exit-delay = "30s"

      """

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
  }

  private func signed(_ dropIn: String, venues: [RolloutVenue] = [], for audience: String = "berlin") throws -> SignedRollout {
    let rollout = Rollout(
      revision: 7, created: 0, audience: [try #require(RolloutAudience(audience))], dropIn: dropIn, venues: venues)
    return SignedRollout(envelope: rollout.octets, signature: Array(repeating: 0, count: 64))
  }

  /// Stores a rollout as the notifier does.
  private func store(_ rollout: SignedRollout, key: [UInt8]? = nil) throws {
    var record = RolloutRecord()
    (record.current, record.key, record.greatest, record.digest) = (rollout, key ?? self.key, 7, rollout.digest)
    try Data(record.octets).write(to: URL(fileURLWithPath: folder.file("rollouts")))
  }

  private func read() throws(ConfigurationError) -> ConfigurationDocument { try ConfigurationDocument.read(file: main) }

  /// The problems of a rollout that is not in use.
  private func leftOut() throws -> [String] {
    let document = try read()
    #expect(document.rollout == nil && document.configuration.ranging.model == PathLossModel(exponent: 2.5))
    return document.leftOutRollout.map { "\($0)".replacing(folder.path + "/", with: "") }
  }

  private func problems(with rollout: SignedRollout) throws -> [String] {
    let files = try ConfigurationFiles(beside: main)
    do throws(ConfigurationError) {
      try MergedConfiguration.check(files, with: rollout)
      return []
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  static let venue = RolloutVenue(
    name: "gallery",
    octets: Array(
      """
      format = 1
      id = "gallery"
      name = "Gallery"
      [[level]]
      id = "ground"
      ordinal = 0
      [[beacon]]
      uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
      major = 1
      minor = 2
      level = "ground"
      position = [1, 2]

      """.utf8))

  // MARK: In use

  @Test func `a rollout is the last drop-in, and has a name as an origin`() throws {
    try store(
      signed(
        """
        [ranging]
        path-loss-exponent = 3.5
        [[region]]
        identifier = "hall"
        exit-delay = "60s"
        [[region]]
        identifier = "city"
        latitude = 52.5
        longitude = 13.4
        radius = 500

        """))
    let (merged, document) = try MergedConfiguration.effective(ConfigurationFiles(beside: main))
    #expect(document.configuration.ranging.model == PathLossModel(exponent: 3.5))
    #expect(document.configuration.regions.map(\.identifier) == ["hall", "city"])
    #expect(document.configuration.regions.first?.beaconRegion?.exitDelay == .seconds(60))
    #expect((document.rollout?.revision, document.leftOutRollout.count) == (7, 0))
    #expect((document.paths, document.dropIns) == ([main], ["rollout 7"]))
    let values = ConfigurationListing(merged).sections.flatMap(\.values)
    #expect(values.first { $0.key == "path-loss-exponent" }?.origin == .file("rollout 7", line: 2))
    #expect(document.digest != (try ConfigurationDocument.parse(text: Self.base, name: main).digest))
  }

  @Test func `a venue of a rollout takes the place of a file with the same id`() throws {
    try write("gallery.toml", String(decoding: Self.venue.octets, as: UTF8.self).replacing("minor = 2", with: "minor = 3"))
    try write("beaconmon.toml", "venues = [\"gallery.toml\"]\n" + Self.base)
    #expect(try read().configuration.venues.first?.beacons.first?.identity.minor == 3)
    try store(signed("", venues: [Self.venue]))
    let document = try read()
    #expect(document.leftOutRollout.isEmpty)
    #expect(document.configuration.venues.map(\.id) == ["gallery"])
    #expect(document.configuration.venues.first?.beacons.first?.identity.minor == 2)
  }

  // MARK: Refused

  @Test func `commands, secrets, targets, paths and consent are refused by key and line`() throws {
    let rollout = try signed(
      """
      venues = ["/etc/passwd"]
      source = "none"
      [ranging]
      path-loss-exponent = 3
      [[region]]
      identifier = "x"
      command = ["rm"]
      [[notifier.action]]
      command = ["rm", "-r", "/"]
      [privacy]
      allow = ["ada"]
      [web]
      [journal]
      path = "/tmp/x"
      [[place]]
      name = "Home"
      file = "/etc/shadow"

      """)
    let others = "must not be in a rollout; it may have ranging, beacon, region, place"
    let expected = [
      "rollout 7:1: venues: \(others)", "rollout 7:2: source: \(others)",
      "rollout 7:7: region: command: is not a key that a rollout may set",
      "rollout 7:8: notifier: \(others)", "rollout 7:10: privacy: \(others)", "rollout 7:12: web: \(others)",
      "rollout 7:13: journal: \(others)", "rollout 7:17: place: file: is not a key that a rollout may set",
    ]
    #expect(try problems(with: rollout) == expected)
    try store(rollout)
    #expect(try leftOut() == expected)
    #expect(try read().warnings.first.map { "\($0)" } == expected[0] + "; the rollout is not in use")
  }

  @Test func `a venue must not name files and apps`() throws {
    let text = String(decoding: Self.venue.octets, as: UTF8.self).replacing(
      "ordinal = 0", with: "ordinal = 0\nplan = { image = \"plan.png\", size = [10, 10] }")
    let problems = try problems(with: signed("", venues: [RolloutVenue(name: "gallery", octets: Array(text.utf8))]))
    #expect(problems.contains { $0.hasPrefix("rollout 7/gallery:") && $0.contains("must not name files or apps of the machine") })
    let surveyed = String(decoding: Self.venue.octets, as: UTF8.self).replacing("[[level]]", with: "survey = \"survey.csv\"\n[[level]]")
    #expect(
      try self.problems(with: signed("", venues: [RolloutVenue(name: "gallery", octets: Array(surveyed.utf8))]))
        == ["rollout 7/gallery:4: survey: a venue of a rollout must not name files or apps of the machine; remove the key"])
    let binary = try self.problems(with: signed("", venues: [RolloutVenue(name: "gallery", octets: [0xFF])]))
    #expect(binary == ["rollout 7/gallery: is not UTF-8"])
  }

  @Test func `errors of the readers name the rollout and the line`() throws {
    #expect(
      try problems(with: signed("[ranging]\npath-loss-exponent = 99\n")).first?.hasPrefix("rollout 7:2: ranging: path-loss-exponent: ")
        == true)
    #expect(try problems(with: signed("[ranging\n")).first?.hasPrefix("rollout 7:1:") == true)
    #expect(try problems(with: signed("ranging = 1\n")).first?.hasPrefix("rollout 7:1: ranging: must be a table") == true)
    // A circle cannot become the region of beacons that the config has.
    #expect(try problems(with: signed("[[region]]\nidentifier = \"hall\"\nlatitude = 1\n")).isEmpty == false)
    #expect(try problems(with: signed("")).isEmpty)
  }

  // MARK: Left out

  @Test func `a rollout with another key or for another device is left out`() throws {
    let rollout = try signed("[ranging]\npath-loss-exponent = 3.5\n")
    try store(rollout, key: Array(repeating: 1, count: 32))
    #expect(try leftOut() == ["rollouts: is not by the rollout-key of the configuration"])
    try store(signed("[ranging]\npath-loss-exponent = 3.5\n", for: "berlin.hall"))
    #expect(try leftOut() == ["rollouts: is not for berlin.door"])
    try store(rollout)
    #expect(try read().configuration.ranging.model == PathLossModel(exponent: 3.5))
  }

  @Test func `without a rollout-key, the file is not read`() throws {
    try store(signed("[ranging]\npath-loss-exponent = 3.5\n"))
    try write("beaconmon.toml", Self.base.replacing("rollout-key", with: "#rollout-key"))
    #expect(try leftOut() == [])
  }

  @Test func `a damaged file, a link, a FIFO and a folder mean no rollout`() throws {
    let path = folder.file("rollouts")
    try write("rollouts", "beaconmon rollouts 1\n")
    #expect(try leftOut() == ["rollouts: is damaged; the next rollout replaces it"])
    try write("rollouts", String(repeating: "a", count: 70_000))
    #expect(try leftOut() == ["rollouts: is not a file of rollouts; remove it"])
    unlink(path)
    mkfifo(path, 0o600)
    #expect(try leftOut() == ["rollouts: is not a file of rollouts; remove it"])
    unlink(path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(try leftOut() == ["rollouts: is not a file of rollouts; remove it"])
    rmdir(path)
    symlink("/etc/passwd", path)
    #expect(try leftOut().count == 1)
  }

  @Test func `a rollout whose trial was still open when the notifier ended gives way to the former one`() throws {
    func rollout(_ dropIn: String) throws -> SignedRollout { try signed("[ranging]\npath-loss-exponent = \(dropIn)\n") }
    var record = RolloutRecord()
    (record.current, record.former, record.key, record.greatest) = (try rollout("4"), try rollout("3"), key, 7)
    var end = TrialClock.now
    end.seconds += 600
    record.trial = .init(severity: .ok, end: end)
    try write(record)
    #expect(try read().configuration.ranging.model == PathLossModel(exponent: 4))
    #expect(try read().rollout?.trialEnd == .seconds(Double(end.seconds)) && read().leftOutRollout.isEmpty)
    end.seconds -= 601
    record.trial?.end = end
    try write(record)
    let document = try read()
    #expect(document.configuration.ranging.model == PathLossModel(exponent: 3) && document.rollout?.trialEnd == nil)
    let note = "the trial of rollout 7 has ended without the notifier, so the former configuration is in use"
    #expect(document.leftOutRollout.map(\.message) == ["\(note); start beaconmon-notifier, or remove the file"])
    record.former = nil
    try write(record)
    #expect(try leftOut().count == 1)
    #expect(StoredRollouts.state(in: folder.file("rollouts"))?.revision == 0)
  }

  private func write(_ record: RolloutRecord) throws {
    try Data(record.octets).write(to: URL(fileURLWithPath: folder.file("rollouts")))
  }

  @Test func `a config that is valid with the rollout alone is refused`() throws {
    try store(signed("[[region]]\nidentifier = \"yard\"\nuuid = \"8ec76ea3-6668-48da-9866-75be8bc86f4d\"\n"))
    #expect(try read().rollout?.revision == 7)
    try write("beaconmon.toml", Self.base + "[[notifier.action]]\nregion = \"yard\"\nlog = true\n")
    #expect(throws: ConfigurationError.self) { try read() }
  }

  @Test func `a later edit with which the rollout is invalid leaves the rollout out`() throws {
    try store(signed("[[region]]\nidentifier = \"yard\"\nuuid = \"8ec76ea3-6668-48da-9866-75be8bc86f4d\"\n"))
    try write("beaconmon.toml", Self.base + "[[region]]\nidentifier = \"yard\"\nlatitude = 1\nlongitude = 1\nradius = 50\n")
    let document = try read()
    #expect((document.rollout == nil, document.leftOutRollout.isEmpty) == (true, false))
    #expect(document.configuration.regions.map(\.identifier) == ["hall", "yard"])
  }

  @Test func `the services have the file of rollouts in a folder of the notifier`() throws {
    let path = try ConfigurationFiles(beside: "/etc/beaconmon/../beaconmon/beaconmon.toml").rollouts
    #expect(["/var/lib/beaconmon-rollout/rollouts", "/etc/beaconmon/../beaconmon/rollouts"].contains(path))
    #expect(try ConfigurationFiles(beside: "/etc/beaconmon/beaconmon.toml").rollouts == "/var/lib/beaconmon-rollout/rollouts")
    #expect(try ConfigurationFiles(beside: "x/beaconmon.toml").rollouts == "x/rollouts")
  }
}
