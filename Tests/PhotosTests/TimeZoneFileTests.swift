import Foundation
import Photos
import TestSupport
import Testing

/// The names of zones on the command line.
@Suite struct TimeZoneFileTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: folder.file("zones/Europe"), withIntermediateDirectories: true)
    try Data("TZif2...".utf8).write(to: URL(fileURLWithPath: folder.file("zones/Europe/Berlin")))
    try Data("TZif2...".utf8).write(to: URL(fileURLWithPath: folder.file("outside")))
    try Data("# a table".utf8).write(to: URL(fileURLWithPath: folder.file("zones/zone.tab")))
    try Data("TZ".utf8).write(to: URL(fileURLWithPath: folder.file("zones/short")))
  }

  @Test(arguments: [
    ("Europe/Berlin", true), ("Europe/Bonn", false), ("zone.tab", false), ("short", false), ("Europe", false), ("", false),
    ("../outside", false), ("Europe/../../outside", false),
  ])
  func `a zone is a compiled file below the folder of zones`(name: String, exists: Bool) {
    #expect(TimeZoneFile.exists(name, in: folder.file("zones")) == exists)
  }

  @Test func `an absolute path is not a zone`() {
    #expect(!TimeZoneFile.exists(folder.file("outside"), in: folder.file("zones")))
  }

  @Test func `a FIFO without a writer does not block`() throws {
    try #require(mkfifo(folder.file("zones/fifo"), 0o600) == 0)
    #expect(!TimeZoneFile.exists("fifo", in: folder.file("zones")))
  }

  @Test func `the names of one file share its identity, and another file has another one`() throws {
    let path = folder.file("outside")
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("hard"))
    try FileManager.default.createSymbolicLink(atPath: folder.file("soft"), withDestinationPath: path)
    let identity = try #require(FileIdentity(path: path))
    #expect(FileIdentity(path: folder.file("hard")) == identity && FileIdentity(path: folder.file("soft")) == identity)
    #expect(FileIdentity(path: folder.file("zones/short")) != identity && FileIdentity(path: folder.file("missing")) == nil)
  }
}
