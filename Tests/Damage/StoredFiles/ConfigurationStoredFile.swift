import Consent
import Glibc
import MonitorConfiguration
import Regions

/// The configuration file, which an administrator writes and to which `beaconmon region add` appends.
struct ConfigurationStoredFile: StoredFile {
  let name = "config"
  let fileName = "beaconmon.toml"
  let isDatabase = false

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Configuration) throws -> Void) throws {
    let path = "\(folder)/\(fileName)"
    for form in Form.allCases {
      let count = Int.random(in: 1...20, using: &random)
      let regions = (1...count).map { number in
        """
        [[region]]
        identifier = "exhibit \(number)"
        uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
        major = \(number)
        exit-delay = "\(number)s"
        """
      }
      let text = """
        source = "hci"
        [journal]
        retention = "30d"
        \(regions.joined(separator: "\n"))
        [[privacy.rule]]
        user = "alice"
        allow = "always"
        [[notifier.target]]
        name = "till"
        webhook = { url = "https://localhost/200" }
        [[notifier.action]]
        region = "exhibit 1"
        target = "till"
        """
      try Files.write(Array(text.utf8), to: path)
      try keep(form, try Configuration.read(file: path))
    }
  }

  func judge(_ folder: String, untouched: String, truths: [Configuration]) throws -> Verdict {
    Self.judge("\(folder)/\(fileName)", truths: truths)
  }

  /// Reads the configuration of a main file.
  /// Damage must neither double a name nor give a permission, and its report must be clear.
  fileprivate static func judge(_ file: String, truths: [Configuration]) -> Verdict {
    var verdict = Verdict()
    do throws(ConfigurationError) {
      let configuration = try Configuration.read(file: file)
      let names = configuration.regions.map(\.identifier)
      verdict.expect(Set(names).count == names.count, "two regions have one name")
      // A changed octet can never make a rule allow more, because `allow` has no shorter valid word.
      let allowed = configuration.consentRules.filter { !truths.flatMap(\.consentRules).contains($0) && $0.subjects == .everyone }
      verdict.expect(allowed.isEmpty, "a rule for one user is a rule for everyone")
    } catch {
      for line in error.description.split(separator: "\n", omittingEmptySubsequences: false) { verdict.expectClear(line) }
    }
    return verdict
  }
}

/// A drop-in of a configuration, beside an intact main file and an intact second drop-in.
struct DropInStoredFile: StoredFile {
  let name = "drop-in"
  let fileName = "50-shop.toml"
  let isDatabase = false

  private static let main = """
    source = "hci"
    [[region]]
    identifier = "entrance"
    uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    [[privacy.rule]]
    user = "alice"
    allow = "always"
    """
  private static let second = """
    [journal]
    retention = "30d"
    [[region]]
    identifier = "till"
    uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
    major = 7
    """

  /// Writes the other files, and moves the drop-in into its folder, whatever has become of it.
  ///
  /// - Returns: the path of the main file.
  private func assemble(_ folder: String) throws -> String {
    let dropIns = "\(folder)/\(ConfigurationFiles.folderName)"
    try Files.write(Array(Self.main.utf8), to: "\(folder)/beaconmon.toml")
    try Files.makeFolder(dropIns)
    try Files.write(Array(Self.second.utf8), to: "\(dropIns)/60-till.toml")
    if Files.exists("\(folder)/\(fileName)") { rename("\(folder)/\(fileName)", "\(dropIns)/\(fileName)") }
    return "\(folder)/beaconmon.toml"
  }

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Configuration) throws -> Void) throws {
    for form in Form.allCases {
      let count = Int.random(in: 1...20, using: &random)
      let regions = (1...count).map { number in
        """
        [[region]]
        identifier = "exhibit \(number)"
        uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
        minor = \(number)
        major = 1
        """
      }
      let text = """
        [ranging]
        path-loss-exponent = 2.5
        [[region]]
        identifier = "entrance"
        exit-delay = "\(count)s"
        \(regions.joined(separator: "\n"))
        [[privacy.rule]]
        user = "bob"
        allow = "never"
        """
      try Files.write(Array(text.utf8), to: "\(folder)/\(fileName)")
      let whole = "\(folder)/whole"
      try Files.makeFolder(whole)
      defer { Files.remove(whole) }
      try Files.write(Array(text.utf8), to: "\(whole)/\(fileName)")
      let truth = try Configuration.read(file: try assemble(whole))
      Files.remove(whole)
      try keep(form, truth)
    }
  }

  func judge(_ folder: String, untouched: String, truths: [Configuration]) throws -> Verdict {
    let file = try assemble(folder)
    var verdict = ConfigurationStoredFile.judge(file, truths: truths)
    // A drop-in changes and adds; the intact files still apply, or nothing does.
    guard let configuration = try? Configuration.read(file: file) else { return verdict }
    let names = configuration.regions.map(\.identifier)
    for name in ["entrance", "till"] { verdict.expect(names.contains(name), "the region \(name) of an intact file is lost") }
    verdict.expect(configuration.consentRules.contains { $0.subjects == .user("alice") }, "the rule of the intact file is lost")
    return verdict
  }
}
