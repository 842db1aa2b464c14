import EventActions
import Testing

@testable import MonitorConfiguration

/// The texts of `beaconmon config show` and `beaconmon config diff`.
@Suite struct ConfigurationListingTests {
  private func listing(_ texts: (String, String)...) throws -> ConfigurationListing {
    ConfigurationListing(try MergedConfiguration(texts.map { (name: $0.0, text: $0.1) }))
  }

  private static let main = """
    source = "auto"
    [location.geoclue]
    [location.gpsd]
    [[region]]
    uuid = "\(galleryUUID)"
    identifier = "entrance"
    exit-delay = "60s"
    """
  private static let site = "[[region]]\nidentifier = \"entrance\"\nexit-delay = \"90s\"\n[journal]\nretention = \"60d\"\n"

  @Test func `every value has its file and line`() throws {
    let listing = try listing(("/etc/b/beaconmon.toml", Self.main), ("/etc/b/conf.d/50-site.toml", Self.site))
    #expect(
      listing.toml(width: .max, hasDefaults: false) == """
        source = "auto"  # beaconmon.toml:1

        [[region]]
        identifier = "entrance"  # beaconmon.toml:6
        uuid = "\(galleryUUID)"  # beaconmon.toml:5
        exit-delay = "90s"  # conf.d/50-site.toml:3

        [journal]
        retention = "60d"  # conf.d/50-site.toml:5

        [location.gpsd]

        [location.geoclue]

        """)
  }

  @Test(arguments: [60, 80])
  func `lines fit the width, apart from long values`(width: Int) throws {
    let text = try listing(("/etc/b/beaconmon.toml", Self.main), ("/etc/b/conf.d/50-site.toml", Self.site)).toml(
      width: width, hasDefaults: true)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
    #expect(text.contains(width == 60 ? "# beaconmon.toml:5:\nuuid" : "  # beaconmon.toml:5\n"), "\(text)")
  }

  @Test func `the shown values with their defaults read as the same configuration`() throws {
    let text = try ShippedConfiguration.uncommented().replacing(/(?m)^venues = .*$/, with: "")
    for width in [60, Int.max] {
      for hasDefaults in [false, true] {
        // Headers are hidden, and do not change the comparison.
        let original = try MergedConfiguration([("t", text)])
        let shown = ConfigurationListing(original).toml(width: width, hasDefaults: hasDefaults)
        let again = try MergedConfiguration([("t", shown)])
        let (a, b) = (try original.document().configuration, try again.document().configuration)
        #expect(a.regions == b.regions && a.ranging == b.ranging && a.location == b.location && a.journal == b.journal)
        #expect(a.adapters == b.adapters && a.transmissions == b.transmissions && a.consentRules == b.consentRules && a.places == b.places)
        #expect(a.notifier.actions == b.notifier.actions && a.notifier.targets.map(\.name) == b.notifier.targets.map(\.name))
      }
    }
  }

  @Test func `passwords are hidden`() throws {
    let listing = try listing(
      (
        "t",
        """
        [[notifier.target]]
        name = "till"
        [notifier.target.webhook]
        url = "https://hooks.example.org/T012/secret-token?key=secret-key"
        secret = { file = "/etc/beaconmon/key" }
        headers = { Authorization = "Bearer secret-bearer", X-Key = { credential = "till" } }
        """
      ))
    for text in [
      listing.toml(width: .max, hasDefaults: true), listing.json(files: ["t"], hasDefaults: true),
      listing.differences(from: .ofDefaults, width: .max),
    ] {
      #expect(!text.contains("secret-"), "\(text)")
      #expect(text.contains("https://hooks.example.org/(hidden)") && text.contains("/etc/beaconmon/key") && text.contains("(hidden)"))
    }
  }

  @Test func `JSON has the path, the value and the origin of each value`() throws {
    let json = try listing(("/etc/b.toml", Self.main)).json(files: ["/etc/b.toml"], hasDefaults: false)
    #expect(json.hasPrefix("{\n  \"files\": [\"/etc/b.toml\"],\n  \"values\": [\n    {\"path\": [\"source\"], \"value\": \"auto\", "))
    #expect(
      json.contains("{\"path\": [\"region\", \"entrance\", \"exit-delay\"], \"value\": \"60s\", \"file\": \"/etc/b.toml\", \"line\": 7}"),
      "\(json)")
  }

  // MARK: Differences

  @Test func `a configuration without keys, and one with every default, do not differ from the defaults`() throws {
    #expect(ConfigurationListing.ofDefaults.differences(from: .ofDefaults, width: 80).isEmpty)
    let defaults = ConfigurationListing.ofDefaults.toml(width: 80, hasDefaults: true)
    #expect(defaults.contains("retention = \"30d\"  # default\n") && defaults.contains("[ranging]\n"))
    #expect(try listing(("t", defaults)).differences(from: .ofDefaults, width: 80).isEmpty)
  }

  @Test func `the same value in another notation is not a difference`() throws {
    let (a, b) = (
      try listing(("a", "capture-speed = 2\nlanguage = \"de\"\n[journal]\nretention = \"720h\"\nsize = \"1GiB\"\n")),
      try listing(("b", "capture-speed = 2.0\nlanguage = [\"de\"]\n[journal]\nsize = \"1024MiB\"\n"))
    )
    #expect(a.differences(from: b, width: 80).isEmpty)
  }

  @Test func `differences are listed under the headers of their tables, with their origins`() throws {
    let (main, both) = (
      try listing(("/etc/b/beaconmon.toml", Self.main)),
      try listing(
        ("/etc/b/beaconmon.toml", Self.main),
        ("/etc/b/conf.d/50-site.toml", Self.site + "[[place]]\nname = \"Office\"\nlatitude = 1\nlongitude = 2\nradius = 60\n"))
    )
    #expect(
      both.differences(from: main, width: 60) == """
        [[region]] entrance
        - exit-delay = "60s"  # beaconmon.toml:7
        + exit-delay = "90s"  # conf.d/50-site.toml:3

        + [[place]] 1
        + name = "Office"  # conf.d/50-site.toml:7
        + latitude = 1  # conf.d/50-site.toml:8
        + longitude = 2  # conf.d/50-site.toml:9
        + radius = 60  # conf.d/50-site.toml:10

        [journal]
        - retention = "30d"  # default
        + retention = "60d"  # conf.d/50-site.toml:5

        """)
    #expect(main.differences(from: both, width: 60).contains("- [[place]] 1\n- name = \"Office\""))
  }
}
