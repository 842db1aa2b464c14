import Glibc
import MachineFiles
import ProgramSettings
import Testing

/// The files of an administrator, in a folder of the test.
@Suite final class MachineFilesTests {
  private let folder: String

  init() throws {
    var template = Array("/tmp/beaconmon-hub-files-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    for name in ["a", "b"] {
      unlink("\(folder)/\(name)")
      rmdir("\(folder)/\(name)")
    }
    rmdir(folder)
  }

  private var path: String { "\(folder)/a" }

  private func write(_ text: String, mode: mode_t = 0o600) throws {
    try LocalFiles.createSecret(Array(text.utf8), path)
    #expect(chmod(path, mode) == 0)
  }

  private func error(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }

  // MARK: - Files

  @Test func `a file has at most its limit of octets`() throws {
    try write("12345")
    #expect(try LocalFiles.octets(of: path, limit: 5) == Array("12345".utf8))
    #expect(error { _ = try LocalFiles.octets(of: path, limit: 4) } == "\(path) has more than 4 octets; remove a part of it")
    #expect(error { _ = try LocalFiles.octets(of: folder + "/b", limit: 4) } == "\(folder)/b: No such file or directory")
  }

  @Test(arguments: [0o640, 0o604, 0o610, 0o660] as [mode_t]) func `a secret that others may use is refused`(mode: mode_t) throws {
    try write("key", mode: mode)
    #expect(error { _ = try LocalFiles.secret(of: path, limit: 9) } == "\(path) can be read by others; run \"chmod 600 \(path)\"")
    #expect(chmod(path, 0o400) == 0)
    #expect(try LocalFiles.secret(of: path, limit: 9) == Array("key".utf8))
  }

  @Test func `a new secret belongs to its owner alone, and replaces no file`() throws {
    let mask = umask(0)
    defer { umask(mask) }
    try LocalFiles.createSecret(Array("old".utf8), path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(error { try LocalFiles.createSecret(Array("new".utf8), path) } == "\(path): File exists")
    #expect(try LocalFiles.octets(of: path, limit: 9) == Array("old".utf8))
  }

  @Test func `a secret that cannot be written leaves no file behind, and replaces no link`() {
    #expect(error { try LocalFiles.createSecret([1], folder + "/b/a") } == "\(folder)/b/a: No such file or directory")
    for target in ["nothing", folder] {
      #expect(symlink(target, path) == 0)
      #expect(error { try LocalFiles.createSecret([1], path) } == "\(path): File exists")
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK && unlink(path) == 0)
    }
    // Only an empty folder can be removed.
    #expect(rmdir(folder) == 0)
  }

  @Test func `the text of a file is its content, and at most the first 64 KiB`() throws {
    try write("-----BEGIN CERTIFICATE-----\n")
    #expect(LocalFiles.text(of: path) == "-----BEGIN CERTIFICATE-----\n")
    #expect(chmod(path, 0o600) == 0 && unlink(path) == 0)
    try write(String(repeating: "a", count: 70_000))
    #expect(LocalFiles.text(of: path) == String(repeating: "a", count: 65_536))
    #expect(LocalFiles.text(of: folder) == nil && LocalFiles.text(of: folder + "/b") == nil)
  }

  @Test func `a file that is missing is reported with its remedy`() throws {
    #expect(
      error { try LocalFiles.requireReadable(path, or: "make it") } == "\(path) cannot be read: No such file or directory; make it")
    try write("x")
    #expect(error { try LocalFiles.requireReadable(path, or: "make it") } == nil)
  }

  // MARK: - Settings

  private func settings(_ variables: [String: String] = [:]) -> MachineSettings {
    let path = path
    return MachineSettings { $0 == "BEACONMON_HUB_SETTINGS" ? path : variables[$0] }
  }

  @Test func `the environment takes precedence over the file`() throws {
    try write("BEACONMON_HUB_DATABASE=\"host=file\"\nBEACONMON_HUB_BROKER=\"amqps://file\"\n")
    let settings = settings(["BEACONMON_HUB_DATABASE": "host=environment"])
    #expect(try settings[.database] == "host=environment" && settings[.broker] == "amqps://file")
    #expect(try settings[.webListen] == nil)
  }

  @Test func `a machine may have no file, and the missing setting is named`() throws {
    #expect(try settings()[.database] == nil)
    let missing = "\(settings().missing("the database", .database, option: "--database"))"
    #expect(missing == "the database is missing; set BEACONMON_HUB_DATABASE in \(path) or in the environment, or use --database")
    #expect(MachineSettings { _ in nil }.file == "/etc/beaconmon-hub/hub.conf")
  }

  @Test func `an error of the file counts only for a setting that the environment lacks`() throws {
    try write("BEACONMON_HUB_DATABASE\n")
    let settings = settings(["BEACONMON_HUB_BROKER": "amqps://environment"])
    #expect(try settings[.broker] == "amqps://environment")
    #expect(error { _ = try settings[.database] }?.hasPrefix("\(path):1: ") == true)
  }

  @Test func `a folder and a large file are not settings`() throws {
    #expect(mkdir(path, 0o700) == 0)
    #expect(error { _ = try settings()[.database] } == "\(path) cannot be read; it has to be a file")
    #expect(rmdir(path) == 0)
    try write(String(repeating: "#", count: 65_536))
    #expect(error { _ = try settings()[.database] }?.hasPrefix("\(path) is not a text of less than 65536 octets") == true)
  }
}
