import DBus
import Foundation
import MonitorProtocol
import TestSupport
import Testing

/// The errors of the bus interface, and their documentation.
@Suite struct MonitorErrorTests {
  /// Returns the names after a prefix in the table of errors of a document.
  private func names(after prefix: String, in document: String) throws -> Set<String> {
    let text = try String(contentsOfFile: Fixture.repository(document), encoding: .utf8)
    let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("Errors\n") })
    let cells = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "|").first }
    return Set(
      cells.flatMap { $0.matches(of: /`([^`]+)`/).map(\.output.1) }.filter { $0.hasPrefix(prefix) }.map {
        String($0.dropFirst(prefix.count))
      })
  }

  @Test func `the table of errors lists every error that the daemon reports`() throws {
    let reported = MonitorError.allCases.filter { $0 != .stopped }
    #expect(try names(after: "…Error.", in: "Docs/dbus/README.md") == Set(reported.map(\.rawValue)))
  }

  @Test(arguments: MonitorError.allCases)
  func `a client recognises an error by its name`(error: MonitorError) {
    #expect(DBusError(name: "org.beaconmon.Monitor1.Error.\(error.rawValue)", message: "").monitorError == error)
    #expect(DBusError.monitor(error, "why") == DBusError(name: error.name, message: "why"))
  }

  @Test(
    arguments: [
      "org.beaconmon.Monitor1.Error.OfLater", "org.beaconmon.Monitor1.Error.", "org.freedesktop.DBus.Error.LimitsExceeded",
      "org.beaconmon.Sharing1.Error.NoHub", "NoRoute", "",
    ])
  func `an error of the bus or of a later version is none of the interface`(name: String) {
    #expect(DBusError(name: name, message: "").monitorError == nil)
  }

  @Test func `the table of errors of shares lists every error`() throws {
    #expect(try names(after: "", in: "Docs/dbus/Sharing.md") == Set(SharingErrorName.allCases.map(\.rawValue)))
  }

  @Test(arguments: SharingErrorName.allCases)
  func `a client recognises an error of shares by its name`(error: SharingErrorName) {
    #expect(DBusError(name: "org.beaconmon.Sharing1.Error.\(error.rawValue)", message: "").sharingError == error)
    #expect(DBusError.sharing(error, "").sharingError == error && DBusError.sharing(error, "").monitorError == nil)
  }
}
