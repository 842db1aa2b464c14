import BeaconAdvertising
import EventActions
import Foundation
import Geodesy
import LocalEndpoints
import Locations
import MonitorConfiguration
import RadioHealth
import Ranging
import Regions
import Testing
import Venues

/// The file config/beaconmon.toml, which also documents the format.
enum ShippedConfiguration {
  static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../config/beaconmon.toml").standardized
    .path

  /// Returns the file with every commented key enabled.
  static func uncommented() throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in line.wholeMatch(of: /#(\[.*|[a-z-]+ = .*)/).map { String($0.1) } ?? String(line) }
      .joined(separator: "\n")
  }
}

@Suite struct ShippedConfigurationTests {
  @Test func `the shipped config uses the radio and changes no default`() throws {
    #expect(try Configuration.read(file: ShippedConfiguration.path) == Configuration(source: .radio(.auto)))
  }

  @Test func `the shipped config is valid with every commented key`() throws {
    let configuration = try Configuration.parse(text: ShippedConfiguration.uncommented(), name: "beaconmon.toml")
    #expect(configuration.regions.map(\.identifier) == ["entrance", "shop", "lodestone"])
    #expect(configuration.adapters.map(\.isUsed) == [true, false])
    #expect(configuration.ranging.beaconOffsets.count == 1)
    #expect(configuration.transmissions.count == 1)
    #expect(configuration.languages == ["de"])
    #expect(configuration.places.map(\.circle.radius) == [60])
    #expect(configuration.location.gpsd == GPSDSettings(device: "/dev/ttyACM0"))
    #expect(configuration.location.geoClue != nil)
    #expect(configuration.location.nmea == .serial(path: "/dev/ttyUSB0", baud: ReceiverAddress.usualBaud))
    #expect(configuration.location.fixed?.horizontalAccuracy == 2)
    #expect(configuration.metrics == .socket(path: "/run/beaconmon/metrics.sock", access: .group))
    #expect(configuration.notifier.metrics == .socket(path: "/run/beaconmon-notifier/metrics.sock", access: .group))
    #expect(configuration.notifier.actions.count == 4)
    #expect(configuration.notifier.targets.map(\.name).prefix(2) == ["shop-server", "home"])
  }

  @Test(arguments: [
    "source", "capture-speed", "address", "use", "path-loss-exponent", "rssi-offset", "time-constant", "method", "uuid", "major", "minor",
    "identifier", "exit-delay", "learn-exit-delay", "enter-sightings", "enter-time", "minimum-rssi", "dwell", "assume",
    "within", "leave-beyond", "hold", "nearest-only", "notify-on-entry", "notify-on-exit", "parallel-commands", "region", "events",
    "command", "timeout",
    "notification", "log", "target", "name", "webhook", "mqtt", "give-up", "per-minute", "max-age", "measured-power", "adapter", "interval",
    "transmit-power", "path", "retention", "size", "latitude", "longitude", "radius", "scan-only-near", "scan-only-below", "device", "baud",
    "altitude", "floor", "accuracy", "venues", "language", "require", "listen", "access",
  ])
  func `the shipped config lists every key`(key: String) throws {
    #expect(try ShippedConfiguration.uncommented().contains("\n\(key) = "))
  }
}
