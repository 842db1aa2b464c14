import EventLoop
import FleetMessages
import FleetReporting
import Glibc
import Rollouts
import TestSupport
import Testing

struct RolloutFileTests {
  @Test func `the file is replaced, and every user may read it`() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/rollouts"
    let file = RolloutFile(path: path)
    #expect(try file.read() == nil)
    for octets: [UInt8] in [[1, 2, 3], [4]] {
      try file.write(octets)
      #expect(try file.read() == octets)
    }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o644)
  }

  @Test func `a link, a FIFO and a large file do not block the notifier or fill its memory`() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/rollouts"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try RolloutFile(path: path).read() == [])
    unlink(path)
    #expect(symlink("/etc/passwd", path) == 0)
    #expect(throws: SystemCallError.self) { try RolloutFile(path: path).read() }
    unlink(path)
    try RolloutFile(path: path).write(Array(repeating: 0, count: 200_000))
    #expect(try RolloutFile(path: path).read()?.count == RolloutRecord.largest + 1)
  }

  @Test func `a file in a folder that does not exist cannot be written`() throws {
    let folder = try TemporaryDirectory()
    #expect(throws: SystemCallError.self) { try RolloutFile(path: "\(folder.path)/missing/rollouts").write([1]) }
  }
}
