import Consent
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
    var verdict = Verdict()
    do throws(ConfigurationError) {
      let configuration = try Configuration.read(file: "\(folder)/\(fileName)")
      let names = configuration.regions.map(\.identifier)
      verdict.expect(Set(names).count == names.count, "two regions have one name")
      // A changed octet can never make a rule allow more, because `allow` has no shorter valid word.
      let allowed = configuration.consentRules.filter { !truths.flatMap(\.consentRules).contains($0) && $0.who == .everyone }
      verdict.expect(allowed.isEmpty, "a rule for one user is a rule for everyone")
    } catch {
      for line in error.description.split(separator: "\n", omittingEmptySubsequences: false) {
        verdict.expect(
          line.contains(": ") && !line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "an unclear line: \(line)")
      }
    }
    return verdict
  }
}
