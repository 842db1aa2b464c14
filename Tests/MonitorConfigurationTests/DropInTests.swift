import BeaconAdvertising
import Beacons
import Consent
import EventActions
import Foundation
import Glibc
import Instants
import MonitorConfiguration
import RadioHealth
import Ranging
import Regions
import TestSupport
import Testing
import Venues

/// The files of `conf.d` beside a config.
@Suite struct DropInTests {
  private let folder: TemporaryDirectory
  private let main: String

  init() throws {
    folder = try TemporaryDirectory()
    main = folder.file("beaconmon.toml")
    try FileManager.default.createDirectory(atPath: folder.file("conf.d"), withIntermediateDirectories: false)
    try write("beaconmon.toml", Self.base)
  }

  private static let base = """
    source = "auto"
    language = ["de", "en"]

    [ranging]
    path-loss-exponent = 2.5
    time-constant = "3s"

    [[region]]
    identifier = "entrance"
    uuid = "\(galleryUUID)"
    exit-delay = "30s"

    """

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
  }

  private func read() throws(ConfigurationError) -> Configuration { try ConfigurationDocument.read(file: main).configuration }

  /// Returns the errors without the folder of the test.
  private func errors() -> [String] {
    do throws(ConfigurationError) {
      _ = try read()
      return []
    } catch {
      return error.description.split(separator: "\n").map { String($0).replacing(folder.path + "/", with: "") }
    }
  }

  // MARK: Merging

  @Test func `a config without a folder of drop-ins is read alone`() throws {
    try FileManager.default.removeItem(atPath: folder.file("conf.d"))
    let document = try ConfigurationDocument.read(file: main)
    #expect(document.paths == [main] && document.dropIns.isEmpty && document.title == main)
    #expect(document.configuration == (try Configuration.parse(text: Self.base, name: "t")))
  }

  @Test func `a later file replaces scalars and lists, and its tables merge key by key`() throws {
    try write("conf.d/10-a.toml", "language = \"fr\"\n[ranging]\ntime-constant = \"1s\"\n")
    let configuration = try read()
    #expect(configuration.source == .radio(.auto))
    #expect(configuration.languages == ["fr"])
    #expect(configuration.ranging.timeConstant == 1)
    #expect(configuration.ranging.model == .init(exponent: 2.5))
  }

  @Test func `a drop-in changes one key of a region of the main file`() throws {
    try write("conf.d/50-site.toml", "[[region]]\nidentifier = \"entrance\"\nexit-delay = \"60s\"\nmajor = 7\n")
    let region = try #require(try read().regions.first?.beaconRegion)
    #expect(region.exitDelay == .seconds(60) && region.constraint.major == 7 && region.constraint.uuid.description == galleryUUID)
    #expect(try read().regions.count == 1)
  }

  @Test func `regions of another name are appended in the order of the files`() throws {
    try write("conf.d/20-b.toml", "[[region]]\nidentifier = \"b\"\nuuid = \"\(galleryUUID)\"\n")
    try write("conf.d/10-a.toml", "[[region]]\nidentifier = \"a\"\nuuid = \"\(galleryUUID)\"\n")
    #expect(try read().regions.map(\.identifier) == ["entrance", "a", "b"])
    #expect(try ConfigurationDocument.read(file: main).dropIns == ["conf.d/10-a.toml", "conf.d/20-b.toml"])
  }

  @Test(arguments: [("adapter", "address = \"00:1A:7D:DA:71:13\""), ("beacon", "uuid = \"\(galleryUUID)\"\nmajor = 1\nminor = 2")])
  func `addresses and UUIDs identify tables in upper and lower case`(table: String, identity: String) throws {
    let keys = identity.split(separator: "\n").map { line in
      let parts = line.split(separator: " = ")
      return "\(parts[0]) = \(table == "adapter" ? parts[1].lowercased() : parts[1].uppercased())"
    }
    try write("beaconmon.toml", "source = \"auto\"\n[[\(table)]]\n\(identity)\nrssi-offset = 1\n")
    try write("conf.d/a.toml", "[[\(table)]]\n\(keys.joined(separator: "\n"))\nrssi-offset = 2\n")
    let configuration = try read()
    #expect(configuration.adapters.map(\.rssiOffset) + configuration.ranging.beaconOffsets.values == [2])
  }

  @Test func `a drop-in changes the address of a target, and adds a header`() throws {
    try write(
      "beaconmon.toml",
      """
      source = "auto"
      [[notifier.target]]
      name = "till"
      [notifier.target.webhook]
      url = "https://example.org/a"
      secret = { file = "/etc/beaconmon/a" }
      headers = { X-Shop = "1", X-Kind = "till" }
      """)
    try write(
      "conf.d/a.toml",
      """
      [[notifier.target]]
      name = "till"
      webhook = { url = "https://example.net/b", secret = { credential = "b" }, headers = { X-Shop = "2" } }
      """)
    guard case .webhook(let settings)? = try read().notifier.targets.first?.means else { throw ConfigurationError.invalid([]) }
    #expect(settings.url == .plain("https://example.net/b") && settings.secret == .credential("b"))
    #expect(settings.headers == [.init("X-Kind", .plain("till")), .init("X-Shop", .plain("2"))])
  }

  @Test func `the privacy rules of a later file decide before those of an earlier one`() throws {
    try write("beaconmon.toml", "source = \"auto\"\n[[privacy.rule]]\nallow = \"never\"\n")
    try write("conf.d/a.toml", "[[privacy.rule]]\nuser = \"kiosk\"\nallow = \"always\"\n")
    #expect(try read().consentRules.map(\.authorization) == [.always, .denied])
  }

  @Test func `the paths of venues are relative to the folder of the main file`() throws {
    try write("gallery.toml", "format = 1\nuuid = \"\(galleryUUID)\"\n[[beacon]]\nmajor = 1\nminor = 1\nposition = [1, 1]\n")
    try write("conf.d/a.toml", "venues = [\"gallery.toml\"]\n")
    #expect(try read().venues.map(\.id) == ["gallery"])
  }

  @Test func `an optional config that is missing is read from its drop-ins alone`() throws {
    unlink(main)
    try write("conf.d/a.toml", "language = \"fr\"\n")
    #expect(try ConfigurationDocument.read(file: main, isOptional: true).configuration.languages == ["fr"])
    #expect(errors() == ["beaconmon.toml: cannot be read: No such file or directory; check the path"])
  }

  // MARK: Errors

  @Test func `every error names the file in which its value is, with line and column`() throws {
    try write("beaconmon.toml", Self.base + "x = 1\n")
    try write("conf.d/a.toml", "[ranging]\ntime-constant = \"3 years\"\n")
    try write("conf.d/b.toml", "[[region]]\nidentifier = \"entrance\"\nminor = 3\nmayor = 1\n")
    #expect(
      errors() == [
        "beaconmon.toml:12: region \"entrance\": unknown key \"x\"; the keys here are identifier, uuid, major, minor, exit-delay, "
          + "learn-exit-delay, within, leave-beyond, hold, nearest-only, minimum-rssi, enter-sightings, enter-time, dwell, assume, "
          + "notify-on-entry, notify-on-exit",
        "conf.d/a.toml:2: ranging: time-constant: \"3 years\" is not a duration; write a number and ms, s, m, h or d, such as \"30s\"",
        "conf.d/b.toml:3: region \"entrance\": minor: requires major, because a minor is only unique within a major",
        "conf.d/b.toml:4: region \"entrance\": unknown key \"mayor\"; did you mean \"major\"?",
      ])
    try write("conf.d/a.toml", "[ranging]\ntime-constant =\n")
    try write("conf.d/b.toml", "\n[[region\n")
    #expect(
      errors() == [
        "conf.d/a.toml:2:16: the end of the line is not a value; put text in quotes",
        "conf.d/b.toml:2:9: the end of the line is not allowed in a header; write [[name]]",
      ])
  }

  @Test func `a duplicate inside a drop-in names both lines, and one across tables names both files`() throws {
    let region = "[[region]]\nidentifier = \"b\"\nuuid = \"\(galleryUUID)\"\n"
    try write("conf.d/a.toml", region + region)
    #expect(errors() == ["conf.d/a.toml:5: region \"b\": identifier: is already used by the region in line 2; choose another one"])
    try write("beaconmon.toml", "source = \"auto\"\n[[notifier.target]]\nname = \"till\"\nlog = \"x\"\n")
    try write("conf.d/a.toml", "[[notifier.action]]\nname = \"till\"\nlog = \"y\"\n")
    #expect(
      errors() == ["conf.d/a.toml:2: action \"till\": name: is already used by the target in beaconmon.toml:3; choose another one"])
  }

  @Test func `a drop-in cannot make another kind of region of an existing one`() throws {
    try write("conf.d/a.toml", "[[region]]\nidentifier = \"entrance\"\nlatitude = 1\nlongitude = 1\nradius = 50\n")
    #expect(
      errors().first
        == "conf.d/a.toml:3: region \"entrance\": latitude: is a key of a circle, but this region has a uuid; define two regions")
  }

  // MARK: Files

  @Test func `hidden files, backups and other files are not read`() throws {
    for name in [".hidden.toml", "a.toml~", "a.toml.bak", "a.toml.dpkg-old", "#a.toml#", "a.conf", "README", ".toml"] {
      try write("conf.d/\(name)", "nonsense")
    }
    symlink("nowhere", folder.file("conf.d/.#a.toml"))
    #expect(errors().isEmpty)
  }

  @Test func `drop-ins are read in the byte order of their names`() throws {
    for name in ["é", "a", "Z", "10", "9"] { try write("conf.d/\(name).toml", "") }
    #expect(try ConfigurationDocument.read(file: main).dropIns.map { $0.dropFirst(7).dropLast(5) } == ["10", "9", "Z", "a", "é"])
  }

  @Test func `a link to the null device hides nothing and is empty`() throws {
    symlink("/dev/null", folder.file("conf.d/a.toml"))
    #expect(errors().isEmpty)
  }

  @Test func `a drop-in that is not a file is an error`() throws {
    symlink("nowhere", folder.file("conf.d/a.toml"))
    mkfifo(folder.file("conf.d/b.toml"), 0o600)
    mkdir(folder.file("conf.d/c.toml"), 0o700)
    #expect(
      errors() == [
        "conf.d/a.toml: is a link to a file that does not exist; correct the link, or remove it",
        "conf.d/b.toml: is not a file; remove it from the folder",
        "conf.d/c.toml: is not a file; remove it from the folder",
      ])
  }

  @Test(.enabled(if: geteuid() != 0, "root may read every file"))
  func `a drop-in without permission is an error`() throws {
    try write("conf.d/a.toml", "")
    chmod(folder.file("conf.d/a.toml"), 0)
    #expect(errors() == ["conf.d/a.toml: cannot be read: Permission denied; let this user read it"])
  }

  @Test func `a folder that is a file is an error`() throws {
    try FileManager.default.removeItem(atPath: folder.file("conf.d"))
    try write("conf.d", "")
    #expect(errors() == ["conf.d: is not a folder; remove it, or make it a folder of drop-ins"])
  }

  @Test func `a drop-in in another encoding is an error with its line`() throws {
    try Data([0x23, 0x0A, 0xE9]).write(to: URL(fileURLWithPath: folder.file("conf.d/a.toml")))
    #expect(errors() == ["conf.d/a.toml:2: is not UTF-8; save the file as UTF-8"])
  }

  @Test func `a name that is not UTF-8 is an error`() {
    let path = Array(folder.file("conf.d/").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9)] + Array(".toml".utf8CString)
    close(creat(path, 0o644))
    #expect(errors() == ["conf.d: contains \"\u{FFFD}.toml\", a name that is not UTF-8; rename the file"])
  }

  @Test func `too many drop-ins, and too much text, are errors`() throws {
    for number in 0..<64 { try write("conf.d/\(number).toml", "") }
    #expect(errors().isEmpty)
    try write("conf.d/64.toml", "")
    #expect(errors() == ["conf.d: has more than 64 drop-ins; join some of them"])
    unlink(folder.file("conf.d/64.toml"))
    let half = String(repeating: "#", count: 600_000)
    for number in 0..<2 { try write("conf.d/\(number).toml", half) }
    #expect(
      errors() == ["conf.d: the drop-ins and beaconmon.toml are larger than 1 MiB together, the limit for a configuration; remove some"])
    try write("conf.d/0.toml", half + half)
    #expect(errors() == ["conf.d/0.toml: is larger than 1 MiB, the limit for a configuration; check the path"])
  }

  @Test func `a region is added only if no drop-in would change it`() throws {
    let circle = try #require(
      try Configuration.parse(text: "[[region]]\nidentifier = \"a\"\nlatitude = 1\nlongitude = 1\nradius = 50\n", name: "t").regions[0]
        .circularRegion)
    try write("conf.d/a.toml", "[[region]]\nidentifier = \"a\"\nuuid = \"\(galleryUUID)\"\n")
    let error = #expect(throws: ConfigurationError.self) { try Configuration.add(.circle(circle), to: main, isOptional: false) }
    #expect(
      error?.description == "\(folder.path)/conf.d/a.toml:2: region \"a\": identifier: a drop-in uses this name already; choose another one"
    )
    unlink(folder.file("conf.d/a.toml"))
    try Configuration.add(.circle(circle), to: main, isOptional: false)
    #expect(try read().regions.map(\.identifier) == ["entrance", "a"])
  }

  // MARK: Damage

  /// The shipped example, cut into several files and edited at random, is accepted or refused with messages that name a file.
  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `mutated files are accepted or refused with messages that name their file`(seed: UInt64) throws {
    print("drop-in fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let lines = try ShippedConfiguration.uncommented().split(separator: "\n").filter { !$0.hasPrefix("#") }
    for round in 0..<60 {
      for name in ["beaconmon.toml", "conf.d/1.toml", "conf.d/2.toml"] {
        var text = lines.filter { $0.hasPrefix("[") || Int.random(in: 0..<4, using: &random) > 0 }
        if Bool.random(using: &random) { text.remove(at: Int.random(in: 0..<text.count, using: &random)) }
        if Bool.random(using: &random) {
          text[Int.random(in: 0..<text.count, using: &random)] = ["[", "region = 1", "[region]", "ranging = []", "x = 1", "\"\""]
            .randomElement(using: &random)!
        }
        try write(name, text.joined(separator: "\n"))
      }
      for error in errors() where !error.hasPrefix("venues: ") {
        #expect(
          error.wholeMatch(of: /(beaconmon|conf\.d\/[12])\.toml:[1-9][0-9]*(:[1-9][0-9]*)?: [^\p{Cc}]+/) != nil,
          "seed \(seed) round \(round): \(error)")
      }
    }
  }
}
