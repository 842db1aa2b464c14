import FoundationEssentials
internal import Locations
internal import MonitorClient

/// The combined heading request of all parts of a program.
struct HeadingSettings: Sendable {
  /// Degrees; nil for none.
  var filter: Double? = 1
  /// Nil for the orientation that the service is configured for.
  var orientation: DeviceOrientation?
  var followsTravel = false
  /// True after `startUpdatingHeading`.
  var isUpdating = false
  /// The number of iterated sequences.
  var sequences = 0

  /// The options for `Session.StartUpdatingHeading`; nil if no part of the program requests headings.
  var options: HeadingOptions? {
    guard isUpdating || sequences > 0 else { return nil }
    let filter = filter.flatMap { $0.isFinite ? min(max($0, 0), 180) : nil } ?? 0
    return HeadingOptions(filter: filter, orientation: orientation?.name, mountAngle: orientation?.mountAngle, travel: followsTravel)
  }
}

extension DeviceOrientation {
  /// The name on the bus; nil for a mounted device.
  var name: String? {
    switch self {
    case .portrait: "portrait"
    case .portraitUpsideDown: "portraitUpsideDown"
    case .landscapeLeft: "landscapeLeft"
    case .landscapeRight: "landscapeRight"
    case .mounted: nil
    }
  }

  var mountAngle: Double? {
    guard case .mounted(let degrees) = self else { return nil }
    return degrees.isFinite ? degrees.remainder(dividingBy: 360) : 0
  }
}

extension Heading {
  init(_ update: HeadingUpdate) {
    var field: MagneticField?
    if let x = update.x, let y = update.y, let z = update.z { field = MagneticField(x: x, y: y, z: z) }
    self.init(
      magneticHeading: update.magneticHeading, trueHeading: update.trueHeading, headingAccuracy: update.accuracy,
      trueHeadingAccuracy: update.trueAccuracy, kind: update.kind.flatMap { Kind(rawValue: $0.rawValue) }, field: field,
      timestamp: update.timestamp.map { Date($0) } ?? Date(), source: update.source)
  }
}

extension HeadingCalibration {
  init(_ status: CalibrationStatus) {
    self.init(
      isNeeded: status.isNeeded ?? false, progress: status.progress ?? 0,
      coverage: status.coverage?.utf8.map { $0 == UInt8(ascii: "1") } ?? [])
  }
}
