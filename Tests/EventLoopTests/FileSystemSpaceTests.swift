import EventLoop
import TestSupport
import Testing

@Suite struct FileSystemSpaceTests {
  @Test func `a folder has the space of its file system`() throws {
    let folder = try TemporaryDirectory()
    let space = try FileSystemSpace(of: folder.path)
    #expect(space.freeOctets != nil && !space.isReadOnly)
  }

  @Test func `a file system without blocks and files has no limit, and a missing path is an error with its name`() throws {
    let space = try FileSystemSpace(of: "/proc")
    #expect(space.freeOctets == nil && space.freeFiles == nil)
    #expect(throws: SystemCallError(call: "statvfs", subject: "/proc/none", code: 2)) { try FileSystemSpace(of: "/proc/none") }
  }
}
