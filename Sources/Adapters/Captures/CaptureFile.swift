import Glibc

/// A capture that is read from its beginning to its end: a file, a FIFO, or standard input when the path is "-".
///
/// Read, never mapped: a mapped file that shrinks would end the process with SIGBUS.
public struct CaptureFile: ~Copyable {
  /// As people call it: the path, or "standard input".
  public let name: String
  /// In octets; nil when it has no end that can be known, like a FIFO.
  public let size: Int?
  /// Octets read so far.
  public private(set) var offset = 0

  let descriptor: CInt

  /// Opening a FIFO waits for its writer, or else the first read must wait until there is something.
  public init(path: String, waitsForWriter: Bool = true) throws(CaptureFileError) {
    let isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | (waitsForWriter ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw CaptureFileError(name: name, cause: .systemCall("open", code: errno)) }
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int(status.st_size) : nil
  }

  /// Its first octets, 512 at most; nil unless it is a plain file that can be read.
  static func beginning(of path: String) -> [UInt8]? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, case let descriptor = open(path, O_RDONLY | O_CLOEXEC),
      descriptor >= 0
    else { return nil }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 512)
    let count = Glibc.read(descriptor, &octets, octets.count)
    return count < 0 ? nil : Array(octets.prefix(count))
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// Waits for octets and returns how many there were, at most what the buffer holds; zero is the end.
  public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 {
        offset += count
        return count
      }
      guard errno == EINTR else { throw CaptureFileError(name: name, cause: .systemCall("read", code: errno)) }
    }
  }
}
