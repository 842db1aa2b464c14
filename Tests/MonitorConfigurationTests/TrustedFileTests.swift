import Foundation
import TestSupport
import Testing

@testable import MonitorConfiguration

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

  private func refusal(of path: String) -> UntrustedFileError { .writable(path) }

  @Test func `a file that only root can change is trusted, even below a sticky folder`() throws {
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
    let error = #expect(throws: UntrustedFileError.self) { try TrustedFile.path(missing) }
    guard case .unavailable? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(error?.description == "open \(missing): No such file or directory (ENOENT)")
  }

  @Test func `a refusal names the file, the reason and the remedy`() {
    #expect(
      "\(refusal(of: "/etc/a.toml"))"
        == "/etc/a.toml is writable by other users than root, so its commands are not run: chown root /etc/a.toml && chmod go-w /etc/a.toml"
    )
  }

  @Test func `a configuration is trusted if no other user can change or add a file of it`() throws {
    let drops = folder.file(ConfigurationFiles.folderName)
    mkdir(drops, 0o755)
    let drop = "\(drops)/one.toml"
    try "b = 1\n".write(toFile: drop, atomically: false, encoding: .utf8)
    chmod(drop, 0o644)
    var files = try ConfigurationFiles(beside: file)
    #expect(throws: Never.self) { try files.trust() }
    chmod(drop, 0o666)
    #expect(throws: refusal(of: drop)) { try files.trust() }
    try FileManager.default.removeItem(atPath: drop)
    chmod(drops, 0o777)
    var empty = try ConfigurationFiles(beside: file)
    #expect(throws: refusal(of: drops)) { try empty.trust() }
  }

  @Test func `a configuration is not trusted if its name is a link in a folder where others can write`() throws {
    let open = folder.file("open")
    mkdir(open, 0o755)
    chmod(open, 0o777)
    symlink(file, "\(open)/link.toml")
    var files = try ConfigurationFiles(beside: "\(open)/link.toml")
    #expect(throws: refusal(of: open)) { try files.trust() }
  }
}
