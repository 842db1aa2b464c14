import Geodesy
import Locations
import Regions

extension Configuration {
  /// So many regions are named one by one.
  private static let named = 4

  /// What is valid and yet will not work as its author expects, and what to do: one sentence each.
  public var doubts: [String] { [recordedWalk, sharedReceiver, idleGates, unplacedCircles].compactMap(\.self) }

  private var recordedWalk: String? {
    switch source {
    case .nothing?, .capture?: nil
    case nil, .radio?, .simulator?: location.capture.map { _ in "location: capture: \(LocationSettings.needsRecording)" }
    }
  }

  private var sharedReceiver: String? {
    guard location.gpsd != nil, case .serial(let path, _) = location.nmea else { return nil }
    let device = path.escapingControlCharacters
    return "location: nmea: gpsd holds its receivers for itself; remove this table, unless \(device) is not one of them"
  }

  private var idleGates: String? {
    let gates = regions.compactMap(\.circularRegion).filter { $0.gate != nil }
    guard source == .nothing, !gates.isEmpty else { return nil }
    return "\(Self.list(gates)): scan-only-near means nothing here, for nobody listens for beacons"
  }

  private var unplacedCircles: String? {
    let circles = regions.compactMap(\.circularRegion)
    guard let reach = location.reach else {
      return circles.isEmpty ? nil : "\(Self.list(circles)): nobody tells where the device is; add a source such as [location.gpsd]"
    }
    let small = circles.filter { $0.circle.radius < 2 * reach }
    guard !small.isEmpty else { return nil }
    return
      "\(Self.list(small)): \(small.count == 1 ? "its radius is" : "their radii are") small for fixes that are good to \(metres(reach)) m at best; "
      + "from \(metres(2 * reach)) m on it works better, or with a finer source"
  }

  /// `region "shop"`, `regions "shop", "mall" and 12 more`
  private static func list(_ regions: [CircularRegion]) -> String {
    let names = regions.prefix(named).map { "\"\($0.identifier)\"" }.joined(separator: ", ")
    let more = regions.count > named ? " and \(regions.count - named) more" : ""
    return "region\(regions.count == 1 ? "" : "s") \(names)\(more)".escapingControlCharacters
  }

  private func metres(_ length: Double) -> Int { Int(length.rounded(.up)) }
}
