import Foundation
import Glibc
import Instants
import LocalTargets
import TestSupport
import Testing
import Venues

/// The file of a user's decisions while it cannot be used.
@Suite struct OfferFileTests {
  private static let entered = Instant(microseconds: 1_800_000_000_000_000)

  private let folder: TemporaryDirectory
  private let lines = LogLines()
  private var path: String { folder.file("nearby") }

  init() throws {
    folder = try TemporaryDirectory()
    file().update { history in
      history.setMuted(true, "gallery")
      history.allow("page https://example.org", "shop")
    }
  }

  private func file() -> OfferFile { OfferFile(path: path, log: lines.logger) }

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

  @Test func `a file that cannot be locked for a moment is not overwritten by the next update`() throws {
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let file = file()
    try blocking("nearby.lock") {
      #expect(file.update { $0.isMuted("gallery") && $0.isMuted("shop") })
      #expect(file.failure?.contains("nearby.lock") == true)
    }
    #expect(file.update { !$0.isMuted("shop") })
    #expect(file.failure == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
  }

  @Test func `changes made while the file cannot be read are applied to its entries later`() throws {
    let file = file()
    try blocking("nearby.lock") {
      file.update { $0.setMuted(true, "museum") }
      #expect(file.update { $0.enter("shop", at: Self.entered) })
      #expect(file.update { $0.entries["shop"]?.entered } == Self.entered)
    }
    #expect(file.update { $0.isMuted("museum") })
    let stored = self.file().update { $0 }
    #expect(stored.isMuted("gallery") && stored.isMuted("museum") && !stored.isMuted("shop") && !stored.isUnverified)
    #expect(stored.entries["shop"]?.allowed == "page https://example.org" && stored.entries["shop"]?.entered == Self.entered)
  }

  @Test func `a change that cannot be written keeps the changes that another program makes in the meantime`() throws {
    let file = file()
    try blocking(Self.newName) { file.update { $0.setMuted(true, "museum") } }
    self.file().update { $0.setMuted(true, "castle") }
    file.update { $0.setMuted(true, "park") }
    #expect(Set(self.file().update { $0.entries.keys }) == ["castle", "gallery", "museum", "park", "shop"])
  }

  @Test func `the intact entries of a damaged file survive a failure to write them`() throws {
    let damaged = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    try Data(damaged.utf8).write(to: URL(fileURLWithPath: path))
    let file = file()
    try blocking(Self.newName) { #expect(file.update { $0.entries.count } == 2) }
    // Another program that finds no file must not take that for the first start.
    #expect(self.file().update { $0.isMuted("museum") })
    #expect(file.update { $0.entries.count } == 2)
    let stored = self.file().update { $0 }
    #expect(stored.entries["shop"]?.allowed == "page https://example.org" && stored.isMuted("gallery") && stored.isUnverified)
  }

  @Test func `a change that must be stored throws if it is not, and leaves the file as it was`() throws {
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let file = file()
    try blocking(Self.newName) {
      #expect(throws: (any Error).self) { try file.store { $0.setMuted(true, "museum") } }
    }
    #expect(file.update { $0.entries["museum"] } == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
  }
}
