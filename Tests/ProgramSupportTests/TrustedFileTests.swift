import Failures
import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Files that root owns, which other users could change or not.
@Suite(.enabled(if: geteuid() == 0, "only root has files that are trusted")) struct TrustedFileTests {
  private let folder: TemporaryDirectory
  private let file: String

  init() throws {
    folder = try TemporaryDirectory()
    chmod(folder.path, 0o755)
    file = folder.file("beaconmon.toml")
    try "a = 1\n".write(toFile: file, atomically: false, encoding: .utf8)
    chmod(file, 0o644)
  }

  private func refusal(of path: String) -> Failure {
    Failure(
      .noPermission,
      "\(path) is writable by other users than root, so its commands are not run: chown root \(path) && chmod go-w \(path)")
  }

  @Test func `a file that only root can change is trusted, also below a sticky folder`() throws {
    #expect(try TrustedFile.path(file) == file)
    chmod(folder.path, 0o1777)
    #expect(try TrustedFile.path(file) == file)
  }

  @Test(arguments: [mode_t(0o664), 0o646])
  func `a file that its group or others can write is refused`(mode: mode_t) {
    chmod(file, mode)
    #expect(throws: refusal(of: file)) { try TrustedFile.path(file) }
  }

  @Test func `a sticky file that others can write is refused`() {
    chmod(file, 0o1666)
    #expect(throws: refusal(of: file)) { try TrustedFile.path(file) }
  }

  @Test func `a file in a folder that others can write is refused`() {
    chmod(folder.path, 0o777)
    #expect(throws: refusal(of: folder.path)) { try TrustedFile.path(file) }
  }

  @Test func `a file of another user is refused`() {
    chown(file, 65534, 0)
    #expect(throws: refusal(of: file)) { try TrustedFile.path(file) }
  }

  @Test func `a link is trusted as the file to which it leads`() throws {
    let link = folder.file("link.toml")
    symlink(file, link)
    #expect(try TrustedFile.path(link) == file)
    chmod(file, 0o666)
    #expect(throws: refusal(of: file)) { try TrustedFile.path(link) }
  }

  @Test func `the null device, which hides a drop-in, is trusted, and a missing file is a missing input`() throws {
    #expect(try TrustedFile.path("/dev/null") == "/dev/null")
    let missing = folder.file("missing.toml")
    let failure = #expect(throws: Failure.self) { try TrustedFile.path(missing) }
    #expect(failure?.status == .noInput && failure?.description.contains(missing) == true)
  }
}
