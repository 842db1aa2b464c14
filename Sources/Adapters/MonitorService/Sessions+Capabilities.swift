import Beacons
import DBus
import MonitorProtocol
import Monitoring
import Records
import Status

// MARK: Required capabilities

extension Sessions {
  /// Returns the capabilities that a new session requires, each once.
  func requirements(_ options: DBusValue) throws(DBusError) -> [RequiredCapability] {
    guard let value = options["require"] else { return [] }
    let names = RequiredCapability.allCases.map(\.rawValue)
    guard let texts = value.strings else {
      throw .invalidArguments("require must be a list of texts (as), some of \(names.joined(separator: ", "))")
    }
    for text in texts where !names.contains(text) {
      throw .monitor("InvalidOptions", "require: \"\(text)\" is not a capability; use some of \(names.joined(separator: ", "))")
    }
    return RequiredCapability.allCases.filter { texts.contains($0.rawValue) }
  }

  /// Throws `MissingCapability` while the device lacks a capability that the session requires.
  func requireCapabilities(of session: Session) throws(DBusError) {
    let missing = session.missing
    guard !missing.isEmpty else { return }
    throw .monitor(
      "MissingCapability",
      "this session requires what the device lacks: \(missing.map(\.text).joined(separator: "; ")); MissingCapabilitiesChanged reports changes"
    )
  }

  /// Reports to each session which of its required capabilities are missing now, if others were before.
  /// Call when hardware may have come or gone.
  func missingCapabilitiesChanged() {
    for session in all where !session.required.isEmpty {
      let missing = session.missing
      // The reason may change while the same is missing.
      guard missing.map(\.capability) != session.reportedMissing.map(\.capability) else { continue }
      session.reportedMissing = missing
      session.emit("MissingCapabilitiesChanged", [.array(of: "a{sv}", missing.map(\.record.dbusValue))])
    }
  }
}
