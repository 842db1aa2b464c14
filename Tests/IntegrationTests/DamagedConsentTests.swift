import Foundation
import TestSupport
import Testing

/// A revoked user stays revoked although a rule of the config would permit it and the file of decisions is damaged.
///
/// The damage happens between two runs of the daemon.
@Suite struct DamagedConsentTests {
  @Test func `one changed byte never lets a revoked user range`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n")
    try scene.decide("revoke", "65534")
    try scene.end(scene.daemon)
    let path = scene.stage.folder.file("consent.db")
    let intact = try Data(contentsOf: URL(fileURLWithPath: path))
    let denied = try #require(intact.range(of: Data("denied".utf8))).lowerBound
    let key = try #require(intact.range(of: Data("userdenied".utf8)) ?? intact.range(of: Data("user".utf8))).lowerBound
    let page = denied / 4096 * 4096
    // The value, the key, a type in the row's header, the page's kind and its number of rows, and the file's own header.
    let positions = [denied, denied + 5, key, denied - 12, page, page + 4, 16, 68]
    for (number, position) in positions.enumerated() {
      var damaged = intact
      damaged[position] ^= 1
      for suffix in [".1", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.removeItem(atPath: path + suffix)
      }
      try damaged.write(to: URL(fileURLWithPath: path))
      let daemon = try scene.restart("damaged-\(number)")
      let reply = try scene.range(on: try scene.client.openSession())
      #expect(
        ["\(BusClient.busName).Error.LocationServicesDisabled", "\(BusClient.busName).Error.NotAuthorized"].contains(reply.name),
        "octet \(position)")
      let note = try scene.insider.property("ConsentNote", "Privacy")?.text
      #expect(note?.contains(path) == true || reply.name?.hasSuffix("NotAuthorized") == true, "octet \(position)")
      if position == denied {
        #expect(note?.contains("decisions: 1 of 1 row is damaged; denials may be lost") == true)
        #expect(try CommandLine(["status", "--bus", scene.stage.bus.address]).output.contains { $0.contains("1 of 1 row is damaged") })
        #expect(try daemon.log.next("the reason") { $0.contains("1 of 1 row is damaged") }.contains("location services are off until"))
      }
      try scene.end(daemon)
    }
    // Damaged decisions stay off until an administrator decides, and the new decision lasts.
    var damaged = intact
    damaged[denied] ^= 1
    try damaged.write(to: URL(fileURLWithPath: path))
    var daemon = try scene.restart("decided")
    try scene.decide("revoke", "65534")
    #expect(try scene.range(on: try scene.client.openSession()).name == "\(BusClient.busName).Error.LocationServicesDisabled")
    try scene.decide("on")
    #expect(try scene.range(on: try scene.client.openSession()).name == "\(BusClient.busName).Error.NotAuthorized")
    try scene.end(daemon)
    daemon = try scene.restart("after")
    #expect(try scene.range(on: try scene.client.openSession()).name == "\(BusClient.busName).Error.NotAuthorized")
    #expect(try scene.insider.property("ConsentNote", "Privacy") == nil)
    try scene.end(daemon)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "requires the right to mount"))
  func `decisions on an unwritable disk apply, and changes are refused`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n")
    try scene.decide("revoke", "65534")
    try scene.end(scene.daemon)
    let disk = try SmallDisk()
    let path = disk.path + "/consent.db"
    try FileManager.default.copyItem(atPath: scene.stage.folder.file("consent.db"), toPath: path)
    try disk.setReadOnly(true)
    let config = scene.stage.folder.file("config.toml")
    let text = try String(contentsOfFile: config, encoding: .utf8)
    try text.replacing(scene.state, with: disk.path + "/journal.db").write(toFile: config, atomically: true, encoding: .utf8)
    let daemon = try scene.restart("read-only")
    #expect(try scene.range(on: try scene.client.openSession()).name == "\(BusClient.busName).Error.NotAuthorized")
    let note = try #require(try scene.insider.property("ConsentNote", "Privacy")?.text)
    #expect(
      note.hasPrefix(path) && note.hasSuffix("; decisions still apply, and cannot be changed until the file is writable"))
    for words in [["grant", "65534"], ["reset", "65534"], ["off"]] {
      let answer = try CommandLine(["privacy"] + words + ["--bus", scene.stage.bus.address])
      #expect(answer.status != 0 && answer.errors.contains { $0.contains("the change was not saved: \(path): ") }, "\(words)")
    }
    #expect(try scene.range(on: try scene.client.openSession()).name == "\(BusClient.busName).Error.NotAuthorized")
    try scene.end(daemon)
  }
}
