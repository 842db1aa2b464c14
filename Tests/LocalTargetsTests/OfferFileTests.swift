import Foundation
import Glibc
import LocalTargets
import Notification
import TestSupport
import Testing
import Venues

/// The file of a user's decisions.
@Suite struct OfferFileTests {
  private let folder: TemporaryDirectory
  private let lines = LogLines()
  private var path: String { folder.file("nearby") }

  init() throws {
    folder = try TemporaryDirectory()
    decisions().update { history in
      history.setMuted(true, "gallery")
      history.allow("page https://example.org", "shop")
    }
  }

  private func decisions() -> OfferDecisions { OfferDecisions(OfferFile(path: path), log: lines.logger) }

  /// Runs `body` while a folder, which cannot be opened for writing, is in the place of a file.
  private func blocking(_ name: String, _ body: () throws -> Void) throws {
    let path = folder.file(name)
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
    try body()
    try FileManager.default.removeItem(atPath: path)
  }

  /// The name under which this process writes the new text.
  private static let newName = ".nearby.\(getpid()).new"

  @Test func `a file of offers has no text before the first one is stored, and only its owner may read it`() throws {
    let file = OfferFile(path: folder.file("other"))
    #expect(try file.whileLocked { try file.read() } == nil)
    try file.whileLocked { try file.write("text\n") }
    #expect(try file.whileLocked { try file.read() } == "text\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func `no file remains after one is moved aside`() throws {
    let file = OfferFile(path: path)
    #expect(!file.hasMovedAside)
    #expect(try file.whileLocked { file.moveAside() } == path + ".1")
    #expect(try file.hasMovedAside && file.whileLocked { try file.read() } == nil)
  }

  @Test func `another program cannot lock the file until the call ends`() throws {
    let other = open(path + ".lock", O_RDWR)
    defer { close(other) }
    try OfferFile(path: path).whileLocked { #expect(flock(other, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK) }
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
  }

  @Test func `a file that cannot be locked for a moment is not overwritten by the next update`() throws {
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let decisions = decisions()
    try blocking("nearby.lock") {
      #expect(decisions.update { $0.isMuted("gallery") && $0.isMuted("shop") })
      #expect(decisions.failure?.contains("nearby.lock") == true)
    }
    #expect(decisions.update { !$0.isMuted("shop") })
    #expect(decisions.failure == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
  }

  @Test func `the intact entries of a damaged file survive a failure to write them`() throws {
    let damaged = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    try Data(damaged.utf8).write(to: URL(fileURLWithPath: path))
    let decisions = decisions()
    try blocking(Self.newName) { #expect(decisions.update { $0.entries.count } == 2) }
    // Another program that finds no file must not take that for the first start.
    #expect(self.decisions().update { $0.isMuted("museum") })
    #expect(decisions.update { $0.entries.count } == 2)
    let stored = self.decisions().update { $0 }
    #expect(stored.entries["shop"]?.allowed == "page https://example.org" && stored.isMuted("gallery") && stored.isUnverified)
  }

  @Test func `a change that must be stored throws if it is not, and leaves the file unchanged`() throws {
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let decisions = decisions()
    try blocking(Self.newName) {
      #expect(throws: (any Error).self) { try decisions.store { $0.setMuted(true, "museum") } }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
  }
}
