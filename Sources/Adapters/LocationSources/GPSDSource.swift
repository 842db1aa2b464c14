import EventLoop
import GPSD
import Instants
import LocationArbitration
import Locations
import Positioning
import Records

/// The receivers of a gpsd, through its JSON protocol over TCP.
///
/// gpsd keeps its receivers on while a client watches, so the connection exists only while the source is on.
public final class GPSDSource: LinkedSource {
  public let ability: SourceAbility
  var lineCounts: LineStatistics? { link.counted(decoder.counts.statistics) }

  private let settings: GPSDSettings
  let validator: FixValidator
  let link: StreamLink
  private var decoder = GPSDDecoder()
  private var devices: [String] = []
  /// JSON has no headings of a magnetic compass, so the sentences of receivers are requested as well.
  private static let watch = "?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};\n"
  private static let unwatch = "?WATCH={\"enable\":false};\n"
  private static let mostDevices = 64
  /// The time between two attempts after another service answered.
  private static let pauseAfterStranger = Span.seconds(60)

  public convenience init(_ loop: Loop, _ settings: GPSDSettings) {
    self.init(loop, settings) { .now(loop) }
  }

  init(_ loop: Loop, _ settings: GPSDSettings, clock: @escaping () -> Receipt) {
    self.settings = settings
    ability = SourceAbility(.gpsd, typicalAccuracy: settings.typicalAccuracy, cost: .high, isSatelliteReceiver: true)
    validator = FixValidator(loop, .gpsd, .steady(FixValidator.patience), clock: clock)
    link = StreamLink(loop, to: .tcp(settings.address))
    followLink()
  }

  func open() {
    decoder.forget()
    devices = []
    validator.begin()
    link.send(Self.watch)
  }

  func close() { link.send(Self.unwatch) }

  func lose(_ health: LocationHealth) {
    validator.fail(health.state, "gpsd at \(settings.address): \(health.reason ?? "it is unavailable")")
  }

  func receive(_ octets: ArraySlice<UInt8>) {
    var reports: [GPSDReport] = []
    let before = decoder.counts.faults[.version]
    decoder.decode(octets, into: &reports)
    for report in reports where isOn {
      if case .version(let version) = report, !version.isUnderstood { return refuse(version) }
      take(report)
    }
    if isOn, reports.isEmpty, decoder.counts.faults[.version] > before {
      refuse("it does not greet as gpsd does; check the address")
    }
  }

  private func take(_ report: GPSDReport) {
    switch report {
    case .version: break
    case .devices(let all):
      link.noteSense()
      note(all.map(\.path))
    case .device(let device):
      note(device.isActive ? devices + [device.path] : devices.filter { $0 != device.path })
    case .epoch(let report, let device):
      if isMeant(device) { validator.take(report) }
    case .heading(let heading, let device):
      // A sentence names no device, so it is only used if it can come from no other one.
      if device == nil ? isOnlyReceiver : isMeant(device) { validator.take(.heading(heading)) }
    case .error(let message):
      validator.fail(.silent, "gpsd rejected the request: \(message)")
    }
  }

  private func isMeant(_ device: String?) -> Bool { settings.device == nil || device == nil || device == settings.device }

  private var isOnlyReceiver: Bool { devices.count == 1 && hasReceiver }

  private func note(_ paths: [String]) {
    let before = hasReceiver
    devices = Array(Set(paths).sorted().prefix(Self.mostDevices))
    if hasReceiver, !before {
      validator.begin()
    } else if !hasReceiver {
      let missing = settings.device.map { "gpsd does not have \($0)" } ?? "gpsd has no receiver"
      validator.fail(.silent, "\(missing); plug it in, or add it with \"gpsdctl add\"")
    }
  }

  private var hasReceiver: Bool {
    settings.device.map(devices.contains) ?? !devices.isEmpty
  }

  private func refuse(_ version: GPSDVersion) {
    let release = version.release.map { " \($0)" } ?? ""
    refuse("this is release\(release) with protocol \(version.major), but only \(GPSDVersion.understoodMajor) is supported")
  }

  private func refuse(_ reason: String) {
    link.refuse(reason, tryAgainAfter: Self.pauseAfterStranger)
  }
}

extension Location.Source {
  /// The receivers of a gpsd.
  static let gpsd = Location.Source("gpsd")
}
