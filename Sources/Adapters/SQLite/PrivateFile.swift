import Glibc

/// Protects databases from other users: files are 0600, and a folder with only databases is 0700. See decision 23.
public enum PrivateFile {
  private static let companions = ["", "-wal", "-shm", "-journal", CommitCount.suffix]

  /// Creates a missing file, and restricts the permissions of an existing one, its log, and its copies that were moved aside.
  ///
  /// SQLite creates the files beside a database with the mode of the database. Existing files are not opened here, because closing them
  /// would release the locks of other connections of this process (POSIX).
  ///
  /// - Returns: the file or folder that stays accessible, with the reason and advice; `nil` if there is none.
  static func prepare(_ path: String) -> String? {
    if access(path, F_OK) != 0, errno == ENOENT {
      // On failure, SQLite reports the better error afterwards.
      let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      if descriptor >= 0 { close(descriptor) }
    }
    let files = [path] + UnreadableFile.names(of: path)
    let warnings = files.flatMap { file in companions.map { narrow(file + $0) } } + [narrowFolder(of: path)]
    return warnings.first { $0 != nil } ?? nil
  }

  private static func narrow(_ path: String) -> String? {
    guard let found = status(path), found.st_mode & S_IFMT == S_IFREG, found.st_mode & 0o077 != 0 else { return nil }
    guard chmod(path, found.st_mode & 0o600) != 0 else { return nil }
    let user = geteuid()
    return "\(path): other users may access it, mode \(octal(found.st_mode)); it belongs to user \(found.st_uid) and not to \(user): "
      + "\"chown \(user) \(path)\" allows a repair"
  }

  /// Restricts a folder of this user that contains only databases.
  ///
  /// A shared folder stays as it is, but other users must not be able to replace the file.
  private static func narrowFolder(of path: String) -> String? {
    let folder = folder(of: path)
    guard let found = status(folder), found.st_mode & 0o077 != 0 else { return nil }
    if found.st_uid == geteuid(), holdsOnlyDatabases(folder, path), chmod(folder, 0o700) == 0 { return nil }
    guard found.st_mode & 0o022 != 0, found.st_mode & S_ISVTX == 0 else { return nil }
    return "\(folder): other users may write here, mode \(octal(found.st_mode)), and could replace \(path); "
      + "run \"chmod go-w \(folder)\", or use another folder"
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func holdsOnlyDatabases(_ folder: String, _ path: String) -> Bool {
    guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name), let directory = opendir(folder) else { return false }
    defer { closedir(directory) }
    let own = path.split(separator: "/").last.map(String.init) ?? path
    while let entry = readdir(directory) {
      let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
      guard name == "." || name == ".." || isDatabase(name) || isCompanion(name, of: own) else { return false }
    }
    return true
  }

  /// Returns whether a name is of the form `journal.db`, `journal.db-wal`, `journal.db.1` or `journal.db.1-wal`.
  private static func isDatabase(_ name: String) -> Bool {
    guard let end = name.firstRange(of: ".db")?.upperBound else { return false }
    return isCompanion(name, of: String(name[..<end]))
  }

  private static func isCompanion(_ name: String, of database: String) -> Bool {
    ([database] + UnreadableFile.names(of: database)).contains { file in companions.contains { name == file + $0 } }
  }

  private static func status(_ path: String) -> stat? {
    var found = stat()
    return stat(path, &found) == 0 ? found : nil
  }

  private static func octal(_ mode: mode_t) -> String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
