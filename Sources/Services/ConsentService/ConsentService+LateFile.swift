import Consent
import Instants
import Logging
import Scheduling

// MARK: A file that can be read later

extension ConsentService {
  func waitToReopen() {
    var random = SystemRandomNumberGenerator()
    reopening?.arm(at: scheduler.now + reopenBackoff.next(using: &random))
  }

  func reopen() {
    guard let file, file.reopen() else { return waitToReopen() }
    usage.restart()
    do {
      try readLate(file)
    } catch {
      policy.isEnabled = false
      trouble = "\(error); consent decisions cannot be read and have no effect"
    }
    (unsaved, isSwitchedOff) = ([:], false)
    if let warning = file.permissionWarning { log.warning("\(warning)") }
    if let note { log.error("\(note)") } else { log.notice("the decisions about location services are read from the file") }
    noteUsage()
    onChange()
  }

  /// Applies the decisions in the file, and saves those that were made since the start.
  ///
  /// A permission from a dialog does not override a denial in the file. The position of the switch is that of the file, which is off
  /// while decisions are in doubt, unless location services were switched off since the start.
  private func readLate(_ file: any ConsentFile) throws {
    hasReadDecisions = false
    let stored = try file.decisions()
    let later = unsaved.filter { $0.value?.author != .polkit || stored[$0.key]?.authorization != .denied }
    policy.decisions = stored
    for (subject, decision) in later { policy.decisions[subject] = decision }
    hasReadDecisions = true
    policy.isEnabled = try file.isEnabled() && !isSwitchedOff
    trouble = file.note
    do {
      for (subject, decision) in later { try file.set(decision, for: subject) }
      if isSwitchedOff { try file.setEnabled(false) }
    } catch {
      log.warning("decisions since the start of beaconmond are not saved, so repeat them once the file is writable: \(error)")
    }
  }
}
