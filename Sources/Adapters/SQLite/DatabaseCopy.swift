internal import CSQLite
import Glibc

extension Database {
  /// Returns a copy of the file at `path` in memory, without writing to the file or its folder.
  ///
  /// SQLite can read a database in a folder that is not writable only if no log of a crash is beside it. The file and its log are therefore
  /// copied to a temporary folder first, where SQLite can recover them. A truncated file is extended with zeros there, because SQLite would
  /// not read it otherwise.
  public static func copy(of path: String) throws(DatabaseError) -> Database {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/beaconmon-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw DatabaseError(.cannotOpen, path: parent, message: reason()) }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let copy = "\(folder)/copy.db"
    let suffixes = ["", "-wal", "-journal", "-shm"]
    defer {
      for suffix in suffixes { unlink(copy + suffix) }
      rmdir(folder)
    }
    for suffix in suffixes.dropLast() where suffix.isEmpty || access(path + suffix, F_OK) == 0 {
      try copyFile(path + suffix, to: copy + suffix)
    }
    fillUp(copy)
    let memory = try inMemory()
    let file = try Database(path: copy, .exclusive)
    // The content is first read here.
    guard let backup = sqlite3_backup_init(memory.handle, "main", file.handle, "main") else {
      throw DatabaseError(.disk, path: path, message: String(cString: sqlite3_errmsg(memory.handle)))
    }
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw DatabaseError(.init(code: code == SQLITE_DONE ? end : code), path: path, message: String(cString: sqlite3_errstr(code)))
    }
    // With this check, one wrong cell makes its whole page unreadable.
    try memory.execute("PRAGMA cell_size_check = OFF")
    return memory
  }

  private static func copyFile(_ path: String, to copy: String) throws(DatabaseError) {
    // Opening a pipe at this path would wait for a writer.
    let source = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard source >= 0 else { throw DatabaseError(.cannotOpen, path: path, message: reason()) }
    defer { close(source) }
    // The copy of a path that is not a file would be an empty database, as if nothing had ever been stored.
    var found = stat()
    guard fstat(source, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
      throw DatabaseError(.cannotOpen, path: path, message: "it is not a file")
    }
    let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw DatabaseError(.cannotOpen, path: copy, message: reason()) }
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count == 0 { return }
      guard count > 0 else { throw DatabaseError(.disk, path: path, message: reason()) }
      guard write(target, buffer, count) == count else { throw DatabaseError(.full, path: copy, message: reason()) }
    }
  }

  /// Extends the file to the number of pages in its header (https://sqlite.org/fileformat.html, 1.3), if that is plausible.
  private static func fillUp(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 32)
    var found = stat()
    guard pread(descriptor, &header, header.count, 0) == header.count, fstat(descriptor, &found) == 0 else { return }
    let pageSize = Int(header[16]) << 8 | Int(header[17])
    let pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
    let size = pages * (pageSize == 1 ? 65536 : pageSize)
    if size > found.st_size, size < 1 << 26 { _ = ftruncate(descriptor, size) }
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
