import Glibc

/// A capture that is read from its beginning to its end: a file, a FIFO, or standard input if the path is "-".
///
/// The file is read, never mapped: a mapped file that shrinks would end the process with SIGBUS.
public struct CaptureFile: ~Copyable {
  /// The name for messages: the path, or "standard input".
  public let name: String
  /// The size in octets; nil if it cannot be known, as for a FIFO.
  public let size: Int?
  /// Octets read so far.
  public private(set) var offset = 0

  let descriptor: CInt
  /// The octets that `look` has read ahead.
  private var ahead: ArraySlice<UInt8> = []

  /// Returns whether a path is standard input ("-"), a FIFO or a character device.
  ///
  /// A second reader would take data from the first one.
  public static func isStream(_ path: String) -> Bool {
    if path == "-" { return true }
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// Opens the capture; opening a FIFO waits for its writer, unless `waitsForWriter` is false.
  /// Then the first read must wait for data.
  public init(path: String, waitsForWriter: Bool = true) throws(CaptureFileError) {
    let isStandardInput = path == "-"
    name = isStandardInput ? "standard input" : path
    descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | (waitsForWriter ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw CaptureFileError(name: name, cause: .systemCall("open", code: errno)) }
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int(status.st_size) : nil
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// Reads ahead without consuming: waits until `isEnough`, until `limit` octets are there, or until the end.
  mutating func look(atMost limit: Int, until isEnough: (ArraySlice<UInt8>) -> Bool) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 1)
    defer { buffer.deallocate() }
    while ahead.count < limit {
      // A read that fails here fails again in the next `read`, which throws the error: the file does not move on.
      guard let count = try? take(into: UnsafeMutableRawBufferPointer(rebasing: buffer[ahead.count...])), count > 0 else { return }
      ahead += buffer[ahead.count..<ahead.count + count]
      if isEnough(ahead) { return }
    }
  }

  /// Waits for octets and returns how many there were, at most what the buffer holds; zero is the end.
  public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int {
    guard ahead.isEmpty else {
      let count = min(ahead.count, buffer.count)
      buffer.copyBytes(from: ahead.prefix(count))
      ahead = ahead.dropFirst(count)
      offset += count
      return count
    }
    let count = try take(into: buffer)
    offset += count
    return count
  }

  private func take(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw CaptureFileError(name: name, cause: .systemCall("read", code: errno)) }
    }
  }
}
