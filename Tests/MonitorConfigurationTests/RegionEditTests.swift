import Foundation
import Glibc
import MonitorConfiguration
import TestSupport
import Testing

@Suite struct RegionEditTests {
  private static let uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
  private let folder: TemporaryDirectory
  private var main: String { folder.file("beaconmon.toml") }

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

  /// Returns the message of a refused change, without the path of the folder.
  private func refusal(_ body: () throws -> Void) -> String? {
    let error = #expect(throws: ConfigurationError.self) { try body() }
    return error?.description.replacing("\(folder.path)/", with: "")
  }

  private static let example = """
    # The config of the shop.

    source = "hci"   # packets

    # The door to the street.
    # It is of glass.
    [[region]]
    identifier = 'door'  # as on the plan
    uuid = "\(uuid)"
    major = 1

    # Measured in May.
    within = 3.0
    # Below the last key.

    # A remark about both.

    # The till.
    [[region]]
    uuid = "\(uuid)"
    major = 2
    identifier = "till"

    [notifier]
    parallel-commands = 2

    [[notifier.action]]
    region = ["till", "door"] # both
    log = "door: {event}"

    """

  @Test func `a renamed region keeps its comments, its order and every other text of the file`() throws {
    try write(Self.example)
    let files = try RegionEdit("door", in: main).rename(to: "the \"entrance\"")
    #expect(files == [main])
    #expect(
      try text()
        == Self.example.replacing("'door'", with: #""the \"entrance\"""#)
        .replacing(#"["till", "door"]"#, with: #"["till", "the \"entrance\""]"#))
  }

  @Test func `a removed region takes its own comments with it and leaves those of its neighbours`() throws {
    let example = Self.example.replacing(#", "door"]"#, with: "]")
    try write(example)
    #expect(try RegionEdit("door", in: main).remove() == [main])
    #expect(
      try text() == """
        # The config of the shop.

        source = "hci"   # packets

        # A remark about both.

        # The till.
        [[region]]
        uuid = "\(Self.uuid)"
        major = 2
        identifier = "till"

        [notifier]
        parallel-commands = 2

        [[notifier.action]]
        region = ["till"] # both
        log = "door: {event}"

        """)
  }

  @Test func `a comment without an empty line below the last key belongs to the next table`() throws {
    let table = "[[region]]\nidentifier = \"b\"\nuuid = \"\(Self.uuid)\"\nmajor = 2\n"
    try write("source = \"hci\"\n[[region]]\nidentifier = \"a\"\nuuid = \"\(Self.uuid)\"\n# The second.\n\(table)")
    _ = try RegionEdit("a", in: main).remove()
    #expect(try text() == "source = \"hci\"\n# The second.\n\(table)")
  }

  @Test func `the last region leaves no empty lines, and the comment at the top of a file stays`() throws {
    try write("# The shop.\n[[region]]\nidentifier = \"a\"\nuuid = \"\(Self.uuid)\"")
    _ = try RegionEdit("a", in: main).remove()
    #expect(try text() == "# The shop.\n")
    try write("source = \"hci\"\n\n\n[[region]]\r\nidentifier = \"a\"\r\nuuid = \"\(Self.uuid)\"\r\n\r\n")
    _ = try RegionEdit("a", in: main).remove()
    #expect(try text() == "source = \"hci\"\n")
  }

  @Test func `a table that looks like the region in a long text is not changed`() throws {
    let log = "log = '''\n[[region]]\nidentifier = \"a\"\n# no comment\n'''\n"
    let action = "[[notifier.action]]\n\(log)"
    try write("\(action)[[region]]\nidentifier = \"a\"\nuuid = \"\(Self.uuid)\"\n")
    _ = try RegionEdit("a", in: main).rename(to: "b")
    #expect(try text() == "\(action)[[region]]\nidentifier = \"b\"\nuuid = \"\(Self.uuid)\"\n")
    _ = try RegionEdit("b", in: main).remove()
    #expect(try text() == action)
  }

  @Test func `a region is changed in the drop-ins that have it or name it, and only there`() throws {
    try write("# mine\nsource = \"hci\"\n")
    try write("[[region]]\nidentifier = \"a\"\nuuid = \"\(Self.uuid)\"\n", to: "conf.d/10-a.toml")
    try write("# slower\n[[region]]\nidentifier = \"a\"\nexit-delay = \"2m\"\n", to: "conf.d/20-b.toml")
    try write("[[notifier.action]]\nregion = \"a\"\nlog = \"a\"\n", to: "conf.d/30-c.toml")
    let files = try RegionEdit("a", in: main).rename(to: "z")
    #expect(files == ["10-a", "20-b", "30-c"].map { "\(folder.path)/conf.d/\($0).toml" })
    #expect(try text("conf.d/20-b.toml") == "# slower\n[[region]]\nidentifier = \"z\"\nexit-delay = \"2m\"\n")
    #expect(try text("conf.d/30-c.toml") == "[[notifier.action]]\nregion = \"z\"\nlog = \"a\"\n")
    #expect(
      refusal { _ = try RegionEdit("z", in: main).remove() }
        == "conf.d/30-c.toml:2: names the region \"z\"; change the action first")
    unlink(folder.file("conf.d/30-c.toml"))
    _ = try RegionEdit("z", in: main).remove()
    #expect(try Configuration.read(file: main).regions.isEmpty)
    #expect(try text() == "# mine\nsource = \"hci\"\n")
  }

  @Test(arguments: ["", "a", "b", "a\u{1B}b", String(repeating: "x", count: 65)])
  func `a name that is invalid or in use is refused, and the file stays unchanged`(name: String) throws {
    let example =
      "[[region]]\nidentifier = \"a\"\nuuid = \"\(Self.uuid)\"\n[[region]]\nidentifier = \"b\"\nuuid = \"\(Self.uuid)\"\nmajor = 1\n"
    try write(example)
    let message = refusal { _ = try RegionEdit("a", in: main).rename(to: name) }
    #expect(message?.hasPrefix("beaconmon.toml: region \"a\": the ") == true)
    #expect(try text() == example)
  }

  @Test func `an unknown region is refused with the nearest name`() throws {
    try write(Self.example)
    #expect(refusal { _ = try RegionEdit("dor", in: main) } == "beaconmon.toml: there is no region \"dor\"; did you mean \"door\"?")
  }

  @Test func `a region in braces is renamed, and not removed`() throws {
    let example = "region = [{ identifier = \"a\", uuid = \"\(Self.uuid)\" }]  # one\n"
    try write(example)
    #expect(
      refusal { _ = try RegionEdit("a", in: main).remove() }
        == "beaconmon.toml:1: region \"a\": is in a list of tables in braces, which this command does not change; remove it with an editor")
    _ = try RegionEdit("a", in: main).rename(to: "b")
    #expect(try text() == example.replacing("\"a\"", with: "\"b\""))
  }

  @Test func `an invalid config is not changed`() throws {
    let example = "[[region]]\nidentifier = \"a\"\nuuid = \"\(Self.uuid)\"\nmayor = 1\n"
    try write(example)
    #expect(refusal { _ = try RegionEdit("a", in: main).remove() }?.hasPrefix("beaconmon.toml:4:") == true)
    #expect(try text() == example)
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func `a full disk leaves every file as it was`() throws {
    let disk = try SmallDisk()
    let main = "\(disk.path)/beaconmon.toml"
    mkdir("\(disk.path)/conf.d", 0o755)
    let region = "[[region]]\nidentifier = \"a\"\nuuid = \"\(Self.uuid)\"\n"
    let dropIn = "\(disk.path)/conf.d/a.toml"
    let padded = region + (0..<4000).map { "# \($0) \(String(repeating: "x", count: 60))\n" }.joined()
    try region.write(toFile: main, atomically: true, encoding: .utf8)
    try "[[region]]\nidentifier = \"a\"\nmajor = 7\n\(padded.dropFirst(region.count))".write(
      toFile: dropIn, atomically: true, encoding: .utf8)
    let before = try String(contentsOfFile: dropIn, encoding: .utf8)
    try Data(count: 600_000).write(to: URL(fileURLWithPath: "\(disk.path)/filler"))
    let error = #expect(throws: ConfigurationError.self) { try RegionEdit("a", in: main).rename(to: "b") }
    #expect(error?.description.contains("unchanged, because it cannot be written: No space left on device; make room") == true)
    #expect(try String(contentsOfFile: main, encoding: .utf8) == region)
    #expect(try String(contentsOfFile: dropIn, encoding: .utf8) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(disk.path)/conf.d") == ["a.toml"])
  }
}
