import Failures
import Instants
import Locations
import MonitorConfiguration
import RadioHealth
import Testing

/// The source of the daemon, by its command line and its config.
@Suite struct SourceOptionsTests {
  private static let fixed = "[location.fixed]\nlatitude = 1\nlongitude = 2\n"
  private static let hall = "[[region]]\nidentifier = \"hall\"\nuuid = \"8ec76ea3-6668-48da-9866-75be8bc86f4d\"\n"
  private static let walk = "[location.capture]\npath = \"walk.nmea\"\n"
  private static let needsRecording = Failure(
    .config,
    "shop.toml: location: capture: runs on the clock of a recording; source must be \"capture:FILE\" too, or \"none\" for a walk alone")
  private static let capture = Source.capture(path: "a.btsnoop")
  private static let simulator = Source.simulator(path: "a.toml")

  /// Returns the source for a config with this text; throws the failure with which the daemon ends.
  private func source(_ options: SourceOptions, _ text: String = "") throws -> Source {
    let document = try ConfigurationDocument.parse(text: text, name: "shop.toml")
    return try SourceOptions.source(of: options.completed(document))
  }

  @Test func `the source of the command line takes precedence over that of the config`() throws {
    #expect(try source(SourceOptions(), "source = \"bluez\"") == .radio(.bluez))
    #expect(try source(SourceOptions(source: Self.capture), "source = \"bluez\"") == Self.capture)
  }

  @Test func `a session without a source uses the adapters`() throws {
    #expect(try source(SourceOptions(isSession: true)) == .radio(.auto))
    #expect(try source(SourceOptions(isSession: true), "source = \"hci\"") == .radio(.hci))
    #expect(try source(SourceOptions(source: Self.capture, isSession: true)) == Self.capture)
  }

  @Test func `a system service without a source fails`() {
    let missing = Failure(.config, "shop.toml: missing key \"source\"; add source = \"auto\", or use --source auto")
    #expect(throws: missing) { try source(SourceOptions()) }
    #expect(throws: missing) { try SourceOptions.source(of: ConfigurationDocument.parse(text: "", name: "shop.toml")) }
  }

  @Test func `a seed and a duration require a simulator`() throws {
    for options in [SourceOptions(seed: 2), SourceOptions(duration: .seconds(60))] {
      var options = options
      for source in [Self.capture, .radio(.auto), .nothing] {
        options.source = source
        #expect(throws: Failure(.usage, "--seed and --duration require --source simulator:FILE")) { try self.source(options, Self.fixed) }
      }
      options.source = Self.simulator
      #expect(try source(options) == Self.simulator)
    }
  }

  @Test func `a walk plays beside a capture or without beacons, and not beside a radio or a simulator`() throws {
    for source in [Self.capture, .nothing] { #expect(try self.source(SourceOptions(source: source), Self.walk) == source) }
    for source in [Self.simulator, .radio(.auto)] {
      #expect(throws: Self.needsRecording) { try self.source(SourceOptions(source: source), Self.walk) }
    }
    #expect(throws: Self.needsRecording) { try source(SourceOptions(isSession: true), Self.walk) }
  }

  @Test(arguments: [capture, simulator, .radio(.auto), .radio(.bluez), .radio(.hci), .nothing])
  func `the warnings contain a walk that the source does not play`(source: Source) throws {
    var document = try ConfigurationDocument.parse(text: Self.walk, name: "shop.toml")
    document.configuration.source = source
    let isRefused = (try? SourceOptions().completed(document)) == nil
    #expect(document.warnings.contains { $0.message.hasPrefix("location: capture: ") } == isRefused)
  }

  @Test func `a source without beacons on the command line requires another task and no beacon regions`() throws {
    let none = SourceOptions(source: .nothing)
    for text in [Self.fixed, "[heading]\nsource = \"iio\"\n"] { #expect(try source(none, text) == .nothing) }
    for text in ["", "source = \"auto\"\n[heading]\nsource = \"auto\"\n"] {
      #expect(
        throws: Failure(
          .config,
          "shop.toml: there is no source of beacons, locations or headings; choose another source, add a [location] table, or a source in [heading]"
        )
      ) { try source(none, text) }
    }
    #expect(
      throws: Failure(.config, "shop.toml: region \"hall\": has beacons, but --source none disables scanning; remove the region")
    ) { try source(none, Self.fixed + Self.hall) }
    #expect(try source(SourceOptions(source: .radio(.auto)), Self.fixed + Self.hall) == .radio(.auto))
  }
}
