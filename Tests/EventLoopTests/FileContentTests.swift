import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

/// Files that are read as a whole.
@Suite struct FileContentTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.file("state") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func code(_ path: String, followsLinks: Bool = true) -> Int32? {
    do throws(SystemCallError) { _ = try FileContent.octets(of: path, limit: 10, followsLinks: followsLinks) } catch { return error.code }
    return nil
  }

  @Test(arguments: [0, 1, 65_536, 65_537, 200_000]) func `a file is read to its end or to the limit`(size: Int) throws {
    let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 251) }
    try Data(content).write(to: URL(fileURLWithPath: path))
    #expect(try FileContent.octets(of: path, limit: 200_001) == content)
    #expect(try FileContent.octets(of: path, limit: size / 2 + 1) == Array(content.prefix(size / 2 + 1)))
  }

  @Test func `the error of a path without a readable file has its code`() throws {
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    let link = folder.file("link")
    symlink("state", link)
    #expect(code(folder.file("none")) == ENOENT && code(folder.path) == EISDIR)
    #expect(code(link) == nil && code(link, followsLinks: false) == ELOOP)
  }

  @Test func `only a file that does not exist has no content`() throws {
    #expect(try FileContent.octets(ofOptional: path, limit: 10) == nil)
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try FileContent.octets(ofOptional: path, limit: 10) == Array("x".utf8))
    symlink("state", folder.file("link"))
    #expect(throws: SystemCallError.self) { try FileContent.octets(ofOptional: folder.file("link"), limit: 10, followsLinks: false) }
    #expect(throws: SystemCallError.self) { try FileContent.octets(ofOptional: folder.path, limit: 10) }
  }

  @Test func `a FIFO does not block its reader`() throws {
    mkfifo(path, 0o600)
    #expect(try FileContent.octets(of: path, limit: 10) == [])
    let writer = FileDescriptor(owning: open(path, O_RDWR | O_CLOEXEC))
    #expect(code(path) == EAGAIN)
    _ = writer.number
  }
}
