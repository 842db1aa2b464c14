import EventLoop
import Glibc

/// The files of a configuration: the main one, and the drop-ins of the folder `conf.d` beside it.
public struct ConfigurationFiles: Hashable, Sendable {
  /// The name of the main file, as given.
  public let main: String
  /// The drop-ins in the order in which they are read: the byte order of their names.
  public private(set) var dropIns: [String]
  /// The paths to open instead of the names; empty if they are the same.
  private var paths: [String: String] = [:]

  /// The name of the folder.
  public static let folderName = "conf.d"
  /// The maximum number of drop-ins.
  public static let mostDropIns = 64

  /// Lists the drop-ins beside a file.
  ///
  /// A drop-in is a name that ends in `.toml` and does not begin with a dot, so the backups of editors and packages are none.
  public init(beside main: String) throws(ConfigurationError) {
    self.main = main
    folder = Self.folder(of: main) + Self.folderName
    dropIns = try Self.names(in: folder).map { [folder] in "\(folder)/\($0)" }
  }

  /// The folder of the drop-ins, which may not exist.
  public let folder: String

  /// Counts a drop-in that does not exist yet.
  mutating func add(dropIn name: String) {
    guard !dropIns.contains(name) else { return }
    dropIns.append(name)
    dropIns.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// All names, the main file first.
  public var names: [String] { [main] + dropIns }

  /// Whether the folder exists.
  public var hasFolder: Bool { access(folder, F_OK) == 0 }

  /// Opens each file at its path without links, and throws if another user than root could change, replace or add a file.
  ///
  /// Errors of reading still contain the names.
  public mutating func trust() throws(UntrustedFileError) {
    // Otherwise a user could add the folder of drop-ins, or a drop-in. A link to the file can be in another folder than the file.
    _ = try TrustedFile.path(Folder.parent(of: main))
    if hasFolder { _ = try TrustedFile.path(folder) }
    for name in names { paths[name] = try TrustedFile.path(name) }
  }

  /// Returns the folder with a slash at its end; empty for the current one.
  static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }

  private static func names(in folder: String) throws(ConfigurationError) -> [String] {
    guard let stream = opendir(folder) else {
      switch errno {
      case ENOENT: return []
      // The main file is then no file in a folder, and its own error says more.
      case ENOTDIR where access(folder, F_OK) != 0: return []
      case ENOTDIR: throw invalid(folder, "is not a folder; remove it, or make it a folder of drop-ins")
      case let code: throw .unreadable(file: folder, code: code)
      }
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { Array(UnsafeBufferPointer(start: $0, count: strnlen($0, 256))) }
      }
      if name.first != UInt8(ascii: "."), name.count > 5, name.suffix(5).elementsEqual(".toml".utf8) { names.append(name) }
      guard names.count <= mostDropIns else {
        throw invalid(folder, "has more than \(mostDropIns) drop-ins; join some of them")
      }
      errno = 0
    }
    guard errno == 0 else { throw .unreadable(file: folder, code: errno) }
    var texts: [String] = []
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let text = String(validating: name, as: UTF8.self) else {
        throw invalid(folder, "contains \(String(decoding: name, as: UTF8.self).quoted), a name that is not UTF-8; rename the file")
      }
      texts.append(text)
    }
    return texts
  }

  private static func strnlen(_ pointer: UnsafePointer<UInt8>, _ most: Int) -> Int {
    (0..<most).first { pointer[$0] == 0 } ?? most
  }

  private static func invalid(_ file: String, _ message: String) -> ConfigurationError {
    .invalid([ConfigurationProblem(file: file, line: nil, column: nil, message: message)])
  }
}

// MARK: Texts

extension ConfigurationFiles {
  /// Returns the names and texts of all files in their order.
  ///
  /// Throws every file that is not text. The files may have 1 MiB together.
  ///
  /// - Parameters:
  ///   - isOptional: A missing main file counts as an empty one.
  ///   - replacement: The text of one of the files, which is not read.
  func texts(
    isOptional: Bool, replacing replacement: (name: String, text: String)? = nil
  ) throws(ConfigurationError) -> [(name: String, text: String)] {
    var texts: [(name: String, text: String)] = []
    var problems: [ConfigurationProblem] = []
    var size = 0
    for name in names {
      // Checked in between, so that a folder of large files does not fill the memory.
      guard dropIns.isEmpty || size <= ConfigurationFile.largest else { break }
      defer { size = texts.reduce(0) { $0 + $1.text.utf8.count } }
      do throws(ConfigurationError) {
        if let replacement, name == replacement.name {
          texts.append(replacement)
        } else if name == main {
          texts.append((name, try mainText(isOptional: isOptional)))
        } else if let text = try Self.text(ofDropIn: name, path: paths[name] ?? name) {
          texts.append((name, text))
        }
      } catch {
        guard case .invalid(let found) = error else { throw error }
        problems += found
      }
    }
    guard problems.isEmpty else { throw .invalid(problems) }
    guard dropIns.isEmpty || size <= ConfigurationFile.largest else {
      throw Self.invalid(folder, "the drop-ins and \(main) are larger than 1 MiB together, the limit for a configuration; remove some")
    }
    return texts
  }

  private func mainText(isOptional: Bool) throws(ConfigurationError) -> String {
    do throws(ConfigurationError) { return try ConfigurationFile.text(of: main, at: paths[main] ?? main) } catch {
      guard case .unreadable(_, ENOENT) = error, isOptional else { throw error }
      return ""
    }
  }

  /// Returns the text; nil if the file was removed after the folder was listed.
  private static func text(ofDropIn name: String, path: String) throws(ConfigurationError) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let code = errno
      if code == ENOENT { return lstat(path, &status) == 0 ? try dangling(name) : nil }
      throw .unreadable(file: name, code: code)
    }
    // A link to /dev/null hides a drop-in of the same name. A FIFO would block the reader.
    let isNull = status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == nullDevice
    guard status.st_mode & S_IFMT == S_IFREG || isNull else { throw invalid(name, "is not a file; remove it from the folder") }
    return try ConfigurationFile.text(of: name, at: path)
  }

  /// The number of /dev/null: major 1, minor 3.
  private static let nullDevice: dev_t = 1 << 8 | 3

  private static func dangling(_ name: String) throws(ConfigurationError) -> String? {
    throw invalid(name, "is a link to a file that does not exist; correct the link, or remove it")
  }
}
