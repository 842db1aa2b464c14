/// The names of files in an output that compares them.
public enum PathNames {
  /// Returns the shortest end of each path that distinguishes it from the others, or the whole path.
  public static func distinct(_ paths: [String]) -> [String] {
    let parts = paths.map { $0.split(separator: "/").map(String.init) }
    return parts.map { path in
      let count = (1...max(1, path.count)).first { count in parts.count { $0.suffix(count) == path.suffix(count) } == 1 }
      return path.suffix(count ?? path.count).joined(separator: "/")
    }
  }
}
