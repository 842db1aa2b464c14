import Glibc
import Seeds

extension Damage {
  mutating func log(
    of path: String, _ name: String, forms: (Form) -> String, stranger: String, using random: inout some RandomNumberGenerator
  ) throws -> String {
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1, 2: return try Self.octets(of: Files.exists(path + "-wal") ? path + "-wal" : path, using: &random)
    case 3:
      Files.remove(path + "-wal")
      return "the log is missing"
    case 4:
      let source = "\(stranger)/\(name)-wal"
      if Files.exists(source) { try Files.write(try Files.read(source), to: path + "-wal") }
      return "the log is that of another file"
    case 5:
      let source = "\(forms(.older))/\(name)-wal"
      if Files.exists(source) { try Files.write(try Files.read(source), to: path + "-wal") }
      mayBeOlder = true
      return "the log is an older one"
    default:
      try Files.write((0..<32_768).map { _ in UInt8.random(in: 0...255, using: &random) }, to: path + "-shm")
      return "the shared memory of the log is random"
    }
  }

  /// Damages the count of commits, which must be ignored if it is damaged.
  static func commits(of path: String, using random: inout some RandomNumberGenerator) throws -> String {
    let count = path + "-commits"
    guard Files.exists(count) else { return "commits are not counted" }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      Files.remove(count)
      return "the count of commits is missing"
    case 1:
      Files.remove(count)
      try Files.makeFolder(count)
      return "a folder is in the place of the count of commits"
    default: return try octets(of: count, using: &random)
    }
  }

  mutating func wholeFile(
    _ path: String, _ name: String, forms: (Form) -> String, stranger: String, using random: inout some RandomNumberGenerator
  ) throws -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      try Files.write([], to: path)
      return "empty"
    case 1:
      // Without a file and without a log, the state is that of a new device.
      guard Files.exists(path + "-wal") else {
        try Files.write([], to: path)
        return "empty"
      }
      Files.remove(path)
      return "missing, its log is there"
    case 2:
      Files.remove(path)
      try Files.makeFolder(path)
      return "a folder"
    case 3:
      Files.remove(path)
      symlink(path, path)
      return "a link to itself"
    case 4:
      rename(path, path + ".elsewhere")
      symlink(path + ".elsewhere", path)
      return "a link to itself under another name"
    case 5:
      try Files.write(try Files.read("\(forms(.older))/\(name)"), to: path)
      mayBeOlder = true
      return "an older copy, with the newer log"
    case 6, 7:
      for suffix in ["", "-wal", "-shm"] {
        Files.remove(path + suffix)
        let source = "\(forms(.older))/\(name)\(suffix)"
        if Files.exists(source) { try Files.write(try Files.read(source), to: path + suffix) }
      }
      form = .older
      return "an older copy"
    case 8:
      try Files.write((0..<Int.random(in: 1...20_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }, to: path)
      return "noise"
    default:
      Files.remove(path)
      // Reading a FIFO waits for a writer, which is correct for a config on standard input or from a shell's `<()`.
      guard name.hasSuffix(".db") else { return "missing" }
      mkfifo(path, 0o600)
      return "a pipe"
    }
  }
}
