import EventLoop
import Glibc
import TestSupport
import Testing

@Suite struct FolderTests {
  @Test func `the names in a folder come in their order, however long and many they are`() throws {
    let folder = try TemporaryDirectory()
    let names = (0..<1500).map { "\($0 + 1000)" + String(repeating: "x", count: $0 % 250) }
    for name in names.reversed() { close(open(folder.file(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }
    close(open(folder.file(".hidden"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    #expect(Folder.names(in: folder.path) == names)
    #expect(Folder.names(in: folder.file("nothing")) == [])
  }
}
