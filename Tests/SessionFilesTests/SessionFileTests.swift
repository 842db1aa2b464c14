import Glibc
import TestSupport
import Testing
import WebAccess

@testable import SessionFiles

@Suite struct SessionFileTests {
  private let folder: TemporaryDirectory
  private let file: SessionFile
  private var path: String { folder.file("sessions.json") }

  init() throws {
    folder = try TemporaryDirectory()
    file = SessionFile(folder: folder.path)
  }

  private func failure() -> String? {
    do throws(WebStoreFailure) { _ = try file.load() } catch { return error.description }
    return nil
  }

  @Test func `sessions are read as they were stored, by their user alone`() throws {
    #expect(try file.load() == nil)
    try file.save("{}\n")
    try file.save("{\"sessions\":[]}\n")
    #expect(try SessionFile(folder: folder.path).load() == "{\"sessions\":[]}\n")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `without a folder nothing is stored`() throws {
    let file = SessionFile(folder: nil)
    try file.save("{}")
    #expect(try file.load() == nil)
  }

  @Test func `a file that is too long is refused, and so is a link, behind which another file may be`() throws {
    try file.save(String(repeating: " ", count: SessionFile.longest))
    #expect(failure() == nil)
    try file.save(String(repeating: " ", count: SessionFile.longest + 1))
    #expect(failure() == "\(path) is longer than 65536 octets")
    #expect(rename(path, folder.file("other")) == 0 && symlink(folder.file("other"), path) == 0)
    #expect(failure()?.contains("ELOOP") == true)
  }

  @Test func `a folder that does not exist is an error with the path`() {
    #expect(throws: WebStoreFailure.self) { try SessionFile(folder: folder.file("none")).save("{}") }
  }
}
