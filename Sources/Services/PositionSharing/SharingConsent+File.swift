import Logging
import Sharing

extension SharingConsent {
  /// Reads the consent of an earlier run. None counts if the file is damaged or cannot be read.
  static func stored(in file: (any SharingFile)?, at clock: SharingClock, _ log: Logger) -> SharingConsent {
    guard let file else { return SharingConsent() }
    do {
      guard let text = try file.read() else { return SharingConsent() }
      if let consent = SharingConsent(text: text, at: clock) { return consent }
      log.error("the file of shares is damaged; every share of this device has ended")
    } catch {
      log.error("the file of shares cannot be read: \(error); every share of this device has ended")
    }
    // Otherwise the shares would come back with a later start that can read the file.
    if !file.remove() { log.error("the file of shares cannot be removed; remove it before a restart") }
    return SharingConsent()
  }
}
