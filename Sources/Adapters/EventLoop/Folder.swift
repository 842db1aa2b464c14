import Glibc

/// What is in a folder, and folders that are made.
public enum Folder {
  /// Makes it and those above it where they are missing; only their owner may look into those.
  public static func make(_ path: String) throws(SystemCallError) {
    var parent = ""
    for name in path.split(separator: "/", omittingEmptySubsequences: false) {
      parent += name + "/"
      // One that may not be changed may be there.
      guard mkdir(parent, 0o700) == 0 || [EEXIST, EISDIR, EROFS, EACCES].contains(errno) else { throw SystemCallError.last("mkdir", path) }
    }
  }

  /// The names in it in their order, without those that begin with a dot; none when it cannot be read.
  public static func names(in path: String) -> [String] {
    // An entry ends with its name: as a value of its type it would be read beyond that, and may be read beyond all memory.
    guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name), let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)))
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }
}
