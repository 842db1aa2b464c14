import EventLoop
import Glibc

/// A capture that is written as it comes: a new file, a FIFO, or standard output if the path is "-".
///
/// A file only ever has whole records, even if the disk is full. A pipe without a reader does not block the writer: `isFull` shows when
/// to stop.
public final class CaptureSink {
  /// The number of octets that a writable pipe takes without waiting (POSIX, PIPE_BUF).
  private static let pieceLength = 4096
  private static let mostWaiting = 64 * 1024

  /// The name for messages: the path, or "standard output".
  public let name: String
  /// Octets written so far.
  public private(set) var size = 0
  /// The first write error, after which nothing more is written.
  public private(set) var failure: CaptureFileError?
  /// Runs after queued octets were written, or a write has failed.
  public var onProgress: () -> Void = {}

  private let descriptor: CInt
  private let path: String?
  private let isFile: Bool
  /// Whether the file holds another program's data until the first octet is written.
  private var isForeign: Bool
  private var waiting: [UInt8] = []
  private var io: IOSource?

  /// Makes a file that only its owner can read: a capture shows which devices passed by. Opening a FIFO waits for its reader.
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

  /// Writes from the loop from here on; without it, writing to a pipe blocks.
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

  /// Writes whole records.
  public func write(_ records: some Collection<UInt8>) {
    guard failure == nil else { return }
    waiting += records
    if io == nil { writeFile() } else { updateInterest() }
  }

  /// Writes the queue, and waits at most `patience` milliseconds for each piece.
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
      // In this order, so that no other user reads the new capture.
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
  /// Whether the reader has closed the pipe, as after `| head`: no fault.
  public var isClosedPipe: Bool { cause == .systemCall("write", code: EPIPE) }
}
