import Glibc

/// Lists and creates folders.
public enum Folder {
  /// Creates the folder and its missing parents, which only their owner may enter.
  public static func make(_ path: String) throws(SystemCallError) {
    var parent = ""
    for name in path.split(separator: "/", omittingEmptySubsequences: false) {
      parent += name + "/"
      // A parent that may not be changed may exist.
      guard mkdir(parent, 0o700) == 0 || [EEXIST, EISDIR, EROFS, EACCES].contains(errno) else { throw SystemCallError.last("mkdir", path) }
    }
  }

  /// Returns the absolute path for a path that is relative to the working folder of this process.
  public static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  /// Returns the path of the folder that holds the path, with "/" at its end.
  public static func parent(of path: String) -> String {
    let path = absolute(path)
    return String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// Returns the sorted names in the folder without those that begin with a dot; empty if it cannot be read.
  public static func names(in path: String) -> [String] { entries(in: path).filter { !$0.hasPrefix(".") }.sorted() }

  /// Returns the sorted names in the folder that begin with a dot, without the folder itself and its parent.
  public static func hiddenNames(in path: String) -> [String] {
    entries(in: path).filter { $0.hasPrefix(".") && $0 != "." && $0 != ".." }.sorted()
  }

  private static func entries(in path: String) -> [String] {
    // An entry ends with its name. Read as a value of its type, it would be read beyond that, and perhaps beyond mapped memory.
    guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name), let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)))
    }
    return names
  }
}
