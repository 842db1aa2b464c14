import EventLoop
import Glibc

/// A capture that is written as it comes: a new file, a FIFO, or standard output when the path is "-".
///
/// A file only ever has whole records, also when the disk is full. A pipe that is not read keeps nobody waiting: `isFull` says when to stop.
public final class CaptureSink {
  /// What a pipe that is writable takes without waiting (POSIX, PIPE_BUF).
  private static let pieceLength = 4096
  private static let mostWaiting = 64 * 1024

  /// As people call it: the path, or "standard output".
  public let name: String
  /// Octets written so far.
  public private(set) var size = 0
  /// What could not be written, and why; nothing more is written.
  public private(set) var failure: CaptureFileError?
  /// After something that waited was written, or cannot be.
  public var onProgress: () -> Void = {}

  private let descriptor: CInt
  private let path: String?
  private let isFile: Bool
  /// Whether the file is somebody's until the first octet is written.
  private var isForeign: Bool
  private var waiting: [UInt8] = []
  private var io: IOSource?

  /// Makes a file, for its owner alone: a capture knows who passed by. Opening a FIFO waits for its reader.
  ///
  /// - Parameter replaces: a file that exists is emptied when the first octet is written; otherwise it is not touched, and this throws.
  public init(path: String, replaces: Bool = false) throws(CaptureFileError) {
    let isStandardOutput = path == "-"
    name = isStandardOutput ? "standard output" : path
    var status = stat()
    let isSpecial = isStandardOutput || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    isForeign = !isSpecial && replaces && access(path, F_OK) == 0
    self.path = isSpecial || isForeign ? nil : path
    let creation = isSpecial || isForeign ? 0 : O_CREAT | O_EXCL
    descriptor = isStandardOutput ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC | creation, 0o600)
    guard descriptor >= 0 else { throw CaptureFileError(name: name, cause: .systemCall(CaptureFileError.openForWriting, code: errno)) }
    isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit {
    io?.cancel()
    if descriptor != STDOUT_FILENO { close(descriptor) }
    if let path, size == 0 { unlink(path) }
  }

  /// Writing goes on by itself from here on. Without it, what is no file is waited for.
  public func attach(to loop: Loop) {
    guard !isFile else { return }
    do throws(SystemCallError) {
      io = try loop.io(descriptor, .writable) { [unowned self] _ in writePiece() }
      try io?.setInterest([])
    } catch {
      io = nil  // A device like /dev/null is always ready.
    }
  }

  public var isFull: Bool { waiting.count > Self.mostWaiting }

  /// Takes whole records.
  public func write(_ records: some Collection<UInt8>) {
    guard failure == nil else { return }
    waiting += records
    if io == nil { writeFile() } else { updateInterest() }
  }

  /// Writes what waits, but waits itself no longer than so many milliseconds for each piece.
  public func flush(patience: CInt) {
    while failure == nil, !waiting.isEmpty {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&request, 1, patience) > 0 else { return }
      writePiece()
    }
  }

  private func writeFile() {
    if isForeign {
      isForeign = false
      // One after the other: nobody else reads the new capture.
      guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
        failure = CaptureFileError(name: name, cause: .systemCall("ftruncate", code: errno))
        waiting = []
        return
      }
    }
    let before = size
    while failure == nil, !waiting.isEmpty { write(upTo: waiting.count) }
    if failure != nil, isFile, ftruncate(descriptor, off_t(before)) == 0 { size = before }
  }

  private func writePiece() {
    write(upTo: Self.pieceLength)
    updateInterest()
    onProgress()
  }

  private func write(upTo count: Int) {
    let written = waiting.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, min(count, $0.count)) }
    if written >= 0 {
      size += written
      waiting.removeFirst(written)
    } else if errno != EINTR && errno != EAGAIN {
      failure = CaptureFileError(name: name, cause: .systemCall("write", code: errno))
      waiting = []
    }
  }

  private func updateInterest() {
    do throws(SystemCallError) {
      try io?.setInterest(waiting.isEmpty ? [] : .writable)
    } catch {
      failure = CaptureFileError(name: name, cause: .systemCall(error.call, code: error.code))
    }
  }
}

extension CaptureFileError {
  /// Nobody reads any more, as after `| head`: no fault.
  public var isClosedPipe: Bool { cause == .systemCall("write", code: EPIPE) }
}
