import Beacons
import LocationArbitration
import Locations
import Positioning
import RadioHealth
import Status
import Venues

// MARK: Required capabilities

extension MonitoringService {
  /// Returns the required capabilities that the device lacks at present, each with the reason and what to do.
  /// The answer follows the hardware, so callers ask again after each change of a source.
  public func missing(of required: [RequiredCapability]) -> [MissingCapability] {
    required.compactMap { capability in lack(of: capability).map { MissingCapability(capability, $0) } }
  }

  /// Returns why the device lacks a capability, and what to do; nil if it has the capability.
  private func lack(of capability: RequiredCapability) -> String? {
    switch capability {
    case .magnetometer: lackOfCompass()
    case .beacons: lackOfBeacons
    case .location:
      lack(of: positioning.sources, "no location source is configured; add one such as [location.gpsd] to beaconmon.toml")
    case .gps:
      lack(
        of: positioning.satelliteReceivers,
        "no satellite receiver is configured; add [location.gpsd] or [location.nmea] to beaconmon.toml")
    case .venue:
      catalogue.venues.isEmpty
        ? "no venue is configured; add its file to venues in beaconmon.toml, such as venues = [\"gallery.toml\"]" : nil
    }
  }

  private var lackOfBeacons: String? {
    guard source.hearsBeacons else { return "source = \"none\" disables scanning; set source = \"auto\" in beaconmon.toml" }
    guard source.state == .gone, hasSourceAnswered else { return nil }
    return source.note ?? "no Bluetooth adapter can scan; see \"beaconmon status\""
  }

  /// Whether the source has said why it cannot hear.
  /// A radio that is gone without a note has not answered yet, as after each start.
  private var hasSourceAnswered: Bool { source.note != nil || source.adapters.contains { !$0.notes.isEmpty } }

  /// Returns the lack of location sources.
  /// A source that is off counts as present, because only its use shows whether its receiver answers.
  private func lack(of sources: [LocationSourceStatus], _ advice: String) -> String? {
    guard let first = sources.first else { return advice }
    guard sources.allSatisfy({ $0.state == .gone || $0.state == .denied }) else { return nil }
    return "\(first.source ?? "the source"): \(first.note ?? "unavailable; see \"beaconmon status\"")"
  }
}
