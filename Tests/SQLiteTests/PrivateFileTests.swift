import Glibc
import SQLite
import TestSupport
import Testing

@Suite struct PrivateFileTests {
  private let file: PythonDatabase
  private var path: String { file.path }
  private var folder: String { file.folder.path }

  init() throws {
    file = try PythonDatabase()
  }

  private func mode(_ path: String) -> String? {
    var found = stat()
    return stat(path, &found) == 0 ? String(found.st_mode & 0o7777, radix: 8) : nil
  }

  private func write(_ path: String, mode: mode_t) throws {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0 && fchmod(descriptor, mode) == 0)
    close(descriptor)
  }

  @Test func `a new database and SQLite's files beside it are private to their owner under any umask`() throws {
    // The umask belongs to the process. It is restored at once, and a file of another test in between does no harm.
    let before = umask(0)
    let database = try Database(path: path)
    umask(before)
    try database.enableWriteAheadLog()
    try database.execute("CREATE TABLE t (i)")
    #expect(["", "-wal", "-shm"].map { mode(path + $0) } == ["600", "600", "600"])
    #expect(database.permissionWarning == nil)
  }

  @Test func `the permissions of a wider database, its log and its moved copies are reduced`() throws {
    try Database(path: path).execute("CREATE TABLE t (i)")
    let files = ["", "-journal", ".1", ".1-wal", ".8", ".8-shm"].map { path + $0 }
    for file in files where file != path + "-journal" { try write(file, mode: 0o664) }
    try Database(path: path).execute("INSERT INTO t VALUES (1)")
    #expect(files.allSatisfy { [nil, "600"].contains(mode($0)) })
  }

  @Test func `a read-only file stays read-only`() throws {
    try Database(path: path).execute("CREATE TABLE t (i)")
    try #require(chmod(path, 0o444) == 0)
    _ = try Database(path: path, .readOnly)
    #expect(mode(path) == "444")
    // Root may write the file anyway.
    if geteuid() == 0 { _ = try Database(path: path) }
    #expect(mode(path) == (geteuid() == 0 ? "400" : "444"))
  }

  @Test func `the permissions of a folder with only our databases are reduced, and those of a shared folder are not`() throws {
    try #require(chmod(folder, 0o755) == 0)
    try write(folder + "/registered-1000.db.1-wal", mode: 0o600)
    #expect(try Database(path: path).permissionWarning == nil)
    #expect(mode(folder) == "700")
    try write(folder + "/holiday.jpg", mode: 0o644)
    try #require(chmod(folder, 0o755) == 0)
    #expect(try Database(path: path).permissionWarning == nil)
    #expect(mode(folder) == "755" && mode(folder + "/holiday.jpg") == "644" && mode(path) == "600")
  }

  @Test func `a shared folder where other users can replace the file has a warning`() throws {
    try write(folder + "/holiday.jpg", mode: 0o644)
    try #require(chmod(folder, 0o777) == 0)
    #expect(
      try Database(path: path).permissionWarning?.hasPrefix("\(folder): other users may write here, mode 0777, and could replace") == true)
    try #require(chmod(folder, 0o1777) == 0)
    #expect(try Database(path: path).permissionWarning == nil)
  }
}
