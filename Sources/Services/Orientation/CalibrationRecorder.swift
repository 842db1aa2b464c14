import Headings
import Instants

/// The calibrations of devices, in memory and in their file.
final class CalibrationRecorder {
  private let file: (any CalibrationFile)?
  private var known: [StoredCalibration]?
  private var latest: (calibration: MagneticCalibration, time: Instant)?

  /// Devices beyond this lose the oldest calibration.
  private static let most = 16
  /// An older calibration is not used: parts and their magnetisation change.
  private static let lifetime = Span.seconds(366 * 86_400)
  /// A calibration is refined continuously, and stored this often.
  private static let interval = Span.seconds(600)
  /// The time of a calibration that the field confirms is renewed this often.
  private static let renewal = Span.seconds(86_400)

  init(_ file: (any CalibrationFile)?) {
    self.file = file
  }

  /// Returns the calibration of a device; nil without a current one.
  func calibration(of device: String?, at wallClock: Instant) -> MagneticCalibration? {
    latest = nil
    guard let stored = stored(of: device), wallClock - stored.time <= Self.lifetime else { return nil }
    return stored.calibration
  }

  func stored(of device: String?) -> StoredCalibration? { device.flatMap { device in all.first { $0.device == device } } }

  /// Returns whether a calibration has to be stored: the first one at once, and a refined one from time to time.
  func isDue(_ calibration: MagneticCalibration?, at now: Instant) -> Bool {
    guard let calibration else { return false }
    if let latest, latest.calibration == calibration || now - latest.time < Self.interval { return false }
    latest = (calibration, now)
    return true
  }

  func store(_ calibration: MagneticCalibration, of device: String, at time: Instant) {
    if let stored = stored(of: device), stored.calibration == calibration, time - stored.time < Self.renewal { return }
    var others = all.filter { $0.device != device }
    others.sort { $0.time > $1.time }
    let kept = [StoredCalibration(device: device, time: time, calibration)] + others.prefix(Self.most - 1)
    known = kept
    file?.save(kept)
  }

  private var all: [StoredCalibration] {
    if let known { return known }
    let loaded = Array((file?.loadCalibrations() ?? []).prefix(Self.most))
    known = loaded
    return loaded
  }
}
