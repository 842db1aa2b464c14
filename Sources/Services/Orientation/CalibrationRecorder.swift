import Headings
import Instants

/// The calibrations of devices, in memory and in their file.
final class CalibrationRecorder {
  private let file: (any CalibrationFile)?
  /// The calibrations in the file, as far as they have been read; nil until a read succeeds.
  private var known: [StoredCalibration]?
  private var latest: (calibration: MagneticCalibration, time: Instant)?
  /// The earliest time of the next attempt after the file could not be written.
  private var retry = Instant(microseconds: .min)

  /// The maximum number of devices. A further device replaces the oldest calibration.
  static let most = 16
  /// The age from which a calibration is not used: parts and their magnetisation change.
  private static let lifetime = Span.seconds(366 * 86_400)
  /// The interval of storing a calibration, which is refined continuously.
  private static let interval = Span.seconds(600)
  /// The pause after a failure to write.
  private static let pause = Span.seconds(60)
  /// The interval of renewing the time of a calibration that the field confirms.
  private static let renewal = Span.seconds(86_400)
  /// The start of 2025, before which no calibration was stored: an earlier time is that of a clock that is not set.
  private static let earliest = Instant(microseconds: 1_735_689_600_000_000)

  init(_ file: (any CalibrationFile)?) {
    self.file = file
  }

  /// Returns the calibration of a device; nil without a current one.
  ///
  /// The age is unknown if the clock is not set, or was not set when the calibration was stored. The field has to confirm each stored
  /// calibration anyway, which renews its time.
  func calibration(of device: String?, at wallClock: Instant) -> MagneticCalibration? {
    latest = nil
    guard let stored = stored(of: device) else { return nil }
    guard let time = Self.known(stored.time, at: wallClock), wallClock >= Self.earliest else { return stored.calibration }
    return wallClock - time <= Self.lifetime ? stored.calibration : nil
  }

  func stored(of device: String?) -> StoredCalibration? { device.flatMap { device in all.first { $0.device == device } } }

  /// Returns whether a calibration has to be stored: the first one at once, and a refined one from time to time.
  func isDue(_ calibration: MagneticCalibration?, at now: Instant) -> Bool {
    guard let calibration, now >= retry else { return false }
    if let latest, latest.calibration == calibration || now - latest.time < Self.interval { return false }
    latest = (calibration, now)
    return true
  }

  /// Stores a calibration that the field confirms. A failure is repeated after a while.
  ///
  /// - Parameter wallClock: the time since the Unix epoch, which is wrong if the clock is not set.
  func store(_ calibration: MagneticCalibration, of device: String, at wallClock: Instant, now: Instant) {
    let earlier = stored(of: device)
    let earlierTime = earlier.flatMap { Self.known($0.time, at: wallClock) }
    let time = wallClock >= Self.earliest ? wallClock : nil
    if earlier?.calibration == calibration {
      // The time of an unset clock would replace a better one.
      guard let time else { return }
      if let earlierTime, time - earlierTime < Self.renewal { return }
    }
    let entry = StoredCalibration(device: device, time: time, calibration)
    if let file, !file.save(entry, most: Self.most) {
      (latest, retry) = (nil, now + Self.pause)
    }
    // Without the file, calibrations are kept until the end of the process.
    var others = all.filter { $0.device != device }
    others.sort { ($0.time ?? Self.earliest) > ($1.time ?? Self.earliest) }
    known = file == nil || known != nil ? [entry] + others.prefix(Self.most - 1) : nil
  }

  /// Returns a time unless it is unknown, or that of a clock that was ahead by more than a day.
  private static func known(_ time: Instant?, at wallClock: Instant) -> Instant? {
    guard let time, time >= earliest else { return nil }
    return wallClock >= earliest && time - wallClock > renewal ? nil : time
  }

  private var all: [StoredCalibration] {
    if let known { return known }
    guard let file else { return [] }
    // A file that cannot be read now is read again with the next request.
    known = file.loadCalibrations().map { Array($0.prefix(Self.most)) }
    return known ?? []
  }
}
