import EventLoop
import Glibc

extension OutputFile {
  /// Writes a text to a file, which has all of it afterwards or is unchanged, even when the disk fills.
  ///
  /// A pipe or a device takes the text as it comes.
  ///
  /// - Parameter replaces: whether a file that exists is replaced; otherwise this throws `exists`.
  public static func writeWhole(_ text: String, to path: String, replaces: Bool) throws(OutputError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    if path == "-" || exists && status.st_mode & S_IFMT != S_IFREG {
      return try OutputFile(path: path, replaces: replaces).write(text)
    }
    if exists, !replaces { throw .exists(path: path) }
    do throws(SystemCallError) {
      try NewFile(of: path, text).install(replaces: replaces)
    } catch {
      throw error.code == EEXIST ? .exists(path: path) : .file(path: path, code: error.code)
    }
  }
}
