import EventLoop
import Glibc
import TestSupport
import Testing

@Suite struct FolderTests {
  @Test func `the names in a folder are sorted, however long and numerous`() throws {
    let folder = try TemporaryDirectory()
    let names = (0..<1500).map { "\($0 + 1000)" + String(repeating: "x", count: $0 % 250) }
    for name in names.reversed() { close(open(folder.file(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }
    close(open(folder.file(".hidden"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    #expect(Folder.names(in: folder.path) == names)
    #expect(Folder.names(in: folder.file("nothing")) == [])
  }

  @Test func `a folder is created with its parents for its owner only, and an existing folder stays unchanged`() throws {
    let folder = try TemporaryDirectory()
    chmod(folder.path, 0o755)
    for _ in 1...2 { try Folder.make(folder.file("a/b/c")) }
    func mode(_ name: String) -> mode_t {
      var status = stat()
      return stat(folder.file(name), &status) == 0 ? status.st_mode & 0o777 : 0
    }
    #expect(mode("") == 0o755 && mode("a") == 0o700 && mode("a/b/c") == 0o700)
    close(open(folder.file("file"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    #expect(throws: SystemCallError.self) { try Folder.make(folder.file("file/below")) }
  }
}
