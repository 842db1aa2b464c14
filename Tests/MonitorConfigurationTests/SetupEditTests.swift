import BeaconAdvertising
import Beacons
import Foundation
import Glibc
import MonitorConfiguration
import Ranging
import Regions
import Setup
import TestSupport
import Testing

@Suite struct SetupEditTests {
  private static let uuid = BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d)
  private let folder: TemporaryDirectory
  private var main: String { folder.file("beaconmon.toml") }
  private var edit: SetupEdit { SetupEdit(main, isOptional: true) { $0.warnings } }

  init() throws {
    folder = try TemporaryDirectory()
    mkdir(folder.file("conf.d"), 0o755)
  }

  private func write(_ text: String, to name: String = "beaconmon.toml") throws {
    try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
  }

  private func text(_ name: String = "beaconmon.toml") throws -> String {
    try String(contentsOfFile: folder.file(name), encoding: .utf8)
  }

  private static func plan(_ names: [String] = ["door"]) -> SetupPlan {
    var plan = SetupPlan()
    plan.regions = names.enumerated().map { number, name in
      .init(name: name, area: .beacons(BeaconConstraint(uuid: uuid, major: 1, minor: UInt16(number + 1))), within: 3)
    }
    return plan
  }

  private static let door = "[[region]]\nidentifier = \"door\"\nuuid = \"\(uuid)\"\nmajor = 1\nminor = 1\nwithin = 3.0\n"

  @Test func `a missing config is created, and read back with every part of the plan`() throws {
    var plan = Self.plan(["door", "the \"till\""])
    plan.ignoredAdapters = [try #require(BluetoothAddress("00:1A:7D:DA:71:13"))]
    plan.offsets = [BeaconIdentity(uuid: Self.uuid, major: 1, minor: 1): -3.46]
    plan.targets = [
      .log, .webhook(url: "https://shop.example.org/events"), .broker(host: "broker.local", port: 1884, isEncrypted: true),
      .command(["/usr/bin/logger", "a \"visitor\""]),
    ]
    #expect(try edit.write(plan))
    let configuration = try Configuration.read(file: main)
    #expect(configuration.regions.map(\.identifier) == ["door", "the \"till\""])
    #expect(configuration.adapters.map(\.isUsed) == [false])
    #expect(configuration.ranging.beaconOffsets.values.map(\.self) == [-3.5])
    #expect(configuration.notifier.actions.count == 4 && configuration.notifier.targets.count == 4)
    let present = try edit.present()
    #expect(present.regionNames == ["door", "the \"till\""] && present.actions == 4 && !present.hasVenue)
  }

  @Test func `the shipped config keeps its whole text in front of the new parts`() throws {
    let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../config/beaconmon.toml")
    let before = try String(contentsOf: shipped, encoding: .utf8)
    try write(before)
    #expect(try !edit.write(Self.plan()))
    #expect(try text() == before + "\n" + Self.door)
  }

  private func writeVenue() throws {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../Docs/examples/venues/gallery.toml")
    try write(String(contentsOf: source, encoding: .utf8), to: "gallery.toml")
  }

  @Test(arguments: [
    ("", "venues = [\"gallery.toml\"]\n"),
    (
      "# Mine.\nsource = \"hci\"  # packets\n\n# Events.\n[notifier]\n",
      "# Mine.\nsource = \"hci\"  # packets\nvenues = [\"gallery.toml\"]\n\n# Events.\n[notifier]\n"
    ),
    ("# Mine.\n\n# Events.\n[notifier]\n", "# Mine.\n\nvenues = [\"gallery.toml\"]\n\n# Events.\n[notifier]\n"),
    ("# Mine.", "# Mine.\nvenues = [\"gallery.toml\"]\n"), ("source = \"hci\"", "source = \"hci\"\nvenues = [\"gallery.toml\"]\n"),
    ("venues = []\n", "venues = [\"gallery.toml\"]\n"),
  ])
  func `a venue becomes a key above the tables, and every comment keeps its place`(before: String, after: String) throws {
    try writeVenue()
    try write(before)
    var plan = SetupPlan()
    plan.venue = "gallery.toml"
    _ = try edit.write(plan)
    #expect(try text() == after)
    let venue = try edit.venue(at: "gallery.toml")
    #expect(venue.places.count == 12 && venue.beacons.count == 12)
  }

  @Test func `a region of a place is written with a venue, and the review shows the new text alone`() throws {
    try writeVenue()
    try write("source = \"hci\"\n")
    var plan = SetupPlan()
    plan.venue = "gallery.toml"
    let place = try edit.venue(at: "gallery.toml").places[0]
    plan.regions = [.init(name: "first", area: .place(place))]
    let review = try edit.review(plan)
    #expect(review.text == "venues = [\"gallery.toml\"]\n\n[[region]]\nidentifier = \"first\"\nplace = \"\(place)\"\n")
    #expect(try text() == "source = \"hci\"\n")
    _ = try edit.write(plan)
    #expect(try Configuration.read(file: main).regions.count == 1)
  }

  @Test(arguments: [
    (["door", "door"], "is already used"), ([""], "is empty"), (["a\u{1B}b"], "control character"),
    ([String(repeating: "x", count: 65)], "at most 64"),
  ])
  func `names that a config cannot have are refused before the file changes`(names: [String], message: String) throws {
    try write("# Mine.\n")
    let error = #expect(throws: SetupRefusal.self) { try edit.review(Self.plan(names)) }
    #expect(error?.lines.contains { $0.contains(message) } == true, "\(error?.lines ?? [])")
    #expect(throws: ConfigurationError.self) { try edit.write(Self.plan(names)) }
    #expect(try text() == "# Mine.\n")
  }

  @Test func `a drop-in with the same region or its own venues is named`() throws {
    try writeVenue()
    try write("")
    try write(Self.door, to: "conf.d/10.toml")
    #expect(throws: SetupRefusal.self) { try edit.review(Self.plan()) }
    try write("venues = []\n", to: "conf.d/10.toml")
    var plan = SetupPlan()
    plan.venue = "gallery.toml"
    let error = #expect(throws: SetupRefusal.self) { try edit.review(plan) }
    #expect(error?.lines.first?.contains("a drop-in sets venues") == true, "\(error?.lines ?? [])")
  }

  @Test func `an interrupted edit leaves a text that the next edit removes, and files of others stay`() throws {
    try write("# Mine.\n")
    let names = [
      ".beaconmon.toml.4711.new", ".beaconmon.toml.1.new.txt", ".other.toml.4711.new", "beaconmon.toml.4711", ".beaconmon.toml.x.new",
    ]
    for name in names { try write("half", to: name) }
    // A process at work holds the lock of its text.
    try write("at work", to: ".beaconmon.toml.4712.new")
    let descriptor = open(folder.file(".beaconmon.toml.4712.new"), O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    _ = try edit.write(Self.plan())
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left == (names.dropFirst() + [".beaconmon.toml.4712.new", "beaconmon.toml", "conf.d"]).sorted())
  }
}
