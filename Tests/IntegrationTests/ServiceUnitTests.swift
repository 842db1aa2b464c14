import Foundation
import TestSupport
import Testing

/// The shipped units as systemd reads them.
@Suite struct ServiceUnitTests {
  /// Returns the exposure that `systemd-analyze security` computes for a unit with its drop-ins, from 0 to 10.
  private func exposure(of unit: String, with dropIn: String? = nil) throws -> Double {
    let folder = try TemporaryDirectory()
    for name in try FileManager.default.contentsOfDirectory(atPath: Programs.repository("systemd"))
    where name.hasSuffix(".service") || name.hasSuffix(".socket") {
      try FileManager.default.copyItem(atPath: Programs.repository("systemd/\(name)"), toPath: folder.file(name))
    }
    if let dropIn {
      try FileManager.default.createDirectory(atPath: folder.file("\(unit).d"), withIntermediateDirectories: false)
      try FileManager.default.copyItem(atPath: Programs.repository("systemd/\(dropIn)"), toPath: folder.file("\(unit).d/\(dropIn)"))
    }
    let text = try RunningProgram.result(
      "/usr/bin/systemd-analyze", ["security", "--offline=true", "--no-pager", folder.file(unit)])
    let level = try #require(text.firstMatch(of: #/Overall exposure level for .*: ([0-9.]+) /#)).output.1
    return try #require(Double(level))
  }

  @Test(arguments: [
    ("beaconmond.service", nil, 1.2), ("beaconmond.service", "hci.conf", 1.6), ("beaconmond.service", "location.conf", 1.8),
    ("beaconmond.service", "geocoding.conf", 1.8), ("beaconmond.service", "sensors.conf", 1.2), ("beaconmond.service", "metrics.conf", 1.4),
    ("beaconmon-setup.service", nil, 2.2),
    ("beaconmon-notifier.service", nil, 1.8), ("beaconmon-web.service", nil, 1.5),
  ])
  func `a service has a low exposure score`(unit: String, dropIn: String?, most: Double) throws {
    #expect(try exposure(of: unit, with: dropIn) <= most)
  }

  @Test func `commands run as a user of their own, without access to events`() throws {
    let service = try String(contentsOfFile: Programs.repository("systemd/beaconmon-action@.service"), encoding: .utf8)
    #expect(service.contains("\nUser=beaconmon-action\nGroup=beaconmon-action\n"))
    #expect(!service.contains("SupplementaryGroups="))
    let socket = try String(contentsOfFile: Programs.repository("systemd/beaconmon-action.socket"), encoding: .utf8)
    #expect(socket.contains("\nSocketUser=beaconmon\nSocketGroup=root\nSocketMode=0600\n"))
    let users = try String(contentsOfFile: Programs.repository("systemd/beaconmon.sysusers"), encoding: .utf8)
    #expect(users.split(separator: "\n").filter { !$0.hasPrefix("#") }.allSatisfy { $0.hasPrefix("u ") })
    let notifier = try String(contentsOfFile: Programs.repository("systemd/beaconmon-notifier.service"), encoding: .utf8)
    let path = try #require(socket.firstMatch(of: /\nListenStream=(.*)\n/)).output.1
    #expect(notifier.contains(" --action-socket \(path)\n"))
  }

  @Test func `the notifier of a user requires no graphical session`() throws {
    let unit = try String(contentsOfFile: Programs.repository("systemd/user/beaconmon-notifier.service"), encoding: .utf8)
    #expect(unit.contains("\nWantedBy=default.target\n"))
    #expect(!unit.contains("graphical-session.target"))
  }

  @Test(arguments: ["beaconmond.service", "beaconmon-action.socket"])
  func `units start after users and the bus' policy are set up`(name: String) throws {
    let unit = try String(contentsOfFile: Programs.repository("systemd/\(name)"), encoding: .utf8)
    for key in ["After", "Wants"] { #expect(unit.contains(try Regex("(?m)^\(key)=.*beaconmon-setup\\.service"))) }
  }
}
