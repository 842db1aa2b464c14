import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

/// The new content of a file, until it takes the place of the old one.
@Suite struct NewFileTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.file("shop.toml") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func text(_ name: String = "shop.toml") throws -> String { try String(contentsOfFile: folder.file(name), encoding: .utf8) }
  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? [] }

  private func mode() throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o7777
  }

  @Test func `the content replaces the file with its permissions, and links to it remain`() throws {
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o640)
    let link = folder.file("link")
    symlink("shop.toml", link)
    let new = try NewFile(of: link, "new")
    #expect(try text() == "old")
    try new.install()
    #expect(try text() == "new" && mode() == 0o640)
    #expect(names == ["link", "shop.toml"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "shop.toml")
    try NewFile(of: path, "", mode: 0o600, isDurable: false).install()
    #expect(try text().isEmpty && mode() == 0o600)
  }

  @Test func `content that is not installed leaves nothing`() throws {
    do {
      let new = try NewFile(of: path, "new")
      #expect(names.count == 1)
      withExtendedLifetime(new) {}
    }
    #expect(names.isEmpty)
    #expect(throws: SystemCallError.self) { try NewFile(of: folder.file("nothing/shop.toml"), "new") }
  }

  @Test func `a file that appears in the meantime is not replaced unless that is wanted`() throws {
    let new = try NewFile(of: path, "new")
    try Data("other".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: SystemCallError(call: "link", subject: path, code: EEXIST)) { try new.install(replaces: false) }
    #expect(try text() == "other")
    try new.install()
    #expect(try text() == "new" && names == ["shop.toml"])
    try NewFile(of: folder.file("other"), "first").install(replaces: false)
    #expect(try text("other") == "first" && names == ["other", "shop.toml"])
  }

  @Test func `a link without a target is a file that is not replaced`() throws {
    symlink("nothing", path)
    let new = try NewFile(of: path, "new")
    #expect(throws: SystemCallError(call: "link", subject: path, code: EEXIST)) { try new.install(replaces: false) }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "nothing")
  }

  @Test func `a file may have the longest possible name`() throws {
    let name = "ä" + String(repeating: "x", count: 253)
    try NewFile(of: folder.file(name), "old").install()
    try NewFile(of: folder.file(name), "new").install()
    #expect(try text(name) == "new" && names == [name])
  }

  @Test func `a failure while the content is written leaves nothing, and names the new file`() throws {
    let failure = SystemCallError(call: "read", code: EIO)
    let error = #expect(throws: SystemCallError.self) {
      try NewFile(of: path) { file throws(SystemCallError) in
        try FileDescriptor.write([1, 2], to: file.number)
        throw failure
      }
    }
    #expect(error?.code == EIO && error?.call == "read" && error?.subject?.hasPrefix(folder.file(".shop.toml.")) == true)
    #expect(names.isEmpty)
    let full = FileDescriptor(owning: open("/dev/full", O_WRONLY | O_CLOEXEC))
    #expect(throws: SystemCallError(call: "write", code: ENOSPC)) { try FileDescriptor.write([1], to: full.number) }
  }

  @Test func `the content of a killed process is removed, and that of a running one is kept`() throws {
    for name in [".shop.toml.4711.new", ".shop.toml.x.new", ".other.toml.4711.new"] {
      try Data().write(to: URL(fileURLWithPath: folder.file(name)))
    }
    let locked = folder.file(".shop.toml.4712.new")
    let descriptor = open(locked, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try NewFile(of: path, "new").install()
    #expect(names == [".other.toml.4711.new", ".shop.toml.4712.new", ".shop.toml.x.new", "shop.toml"])
  }
}
