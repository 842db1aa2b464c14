import Glibc

/// A file without a name, which ends with the program.
///
/// It holds an answer of the database until that is complete, however slow the reader of the output is.
final class SpoolFile {
  private let file: UnsafeMutablePointer<FILE>

  /// Makes the file in the folder of the variable TMPDIR, or in /var/tmp.
  init() throws(SpoolError) {
    var name = Array("\(variable("TMPDIR") ?? "/var/tmp")/beaconmon-hub-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0, unlink(name) == 0, let file = fdopen(descriptor, "w+") else {
      throw SpoolError(
        description: "\(String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)): \(SpoolError.reason)")
    }
    self.file = file
  }

  deinit { fclose(file) }

  func write(_ text: String) throws(SpoolError) {
    guard fputs(text, file) >= 0 else { throw .full }
  }

  /// Writes the text to the standard output.
  func print() throws(SpoolError) {
    guard fflush(file) == 0, fseek(file, 0, SEEK_SET) == 0 else { throw .full }
    var octets = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&octets, 1, octets.count, file)
      guard count > 0 else { break }
      var start = 0
      while start < count {
        let written = Glibc.write(STDOUT_FILENO, Array(octets[start..<count]), count - start)
        guard written >= 0 else { throw SpoolError(description: "standard output: \(SpoolError.reason)") }
        start += written
      }
    }
  }
}

struct SpoolError: Error, CustomStringConvertible {
  var description: String

  static var reason: String { String(cString: strerror(errno)) }
  static var full: Self { Self(description: "the temporary file: \(reason); set TMPDIR to a folder with more space") }
}
