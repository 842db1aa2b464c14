import Departures
import EventLoop
import Glibc
import Instants

/// A calendar on disk, which is read again when it changes.
public final class CalendarFile: CalendarReading {
  public let path: String
  /// Receives the content after each reading. Nothing is called before `read`.
  public var onContent: (CalendarContent) -> Void = { _ in }

  private let loop: Loop
  private let clock: () -> Instant
  private var stream: OctetStream?
  private var child: ChildSource?
  /// The process that reads; nil when its end was noticed.
  private var pid: pid_t?
  /// The signal that ended the last process.
  private var signal: Int32?
  private var octets: [UInt8] = []
  /// The watches of the folders of the path and of the file that a link leads to.
  private var watches: [FolderWatch] = []
  private var pause: Timer?
  /// The pause before the next attempt while the calendar cannot be read or watched.
  private var backoff: Backoff
  /// Whether the file has changed while it was read.
  private var isOutdated = false

  /// The maximum number of octets of the output of a reading.
  private static let mostOutput = 2 << 20
  private static let longestRetry = Span.seconds(3600)
  /// The time after a change in which more may follow, as a program that synchronises writes.
  private static let settling = Span.seconds(1)

  /// - Parameters:
  ///   - retry: the first pause before another attempt; each one after it is twice as long.
  ///   - clock: the time since the Unix epoch, from which the next events are read.
  public init(_ loop: Loop, path: String, retry: Span = .seconds(60), clock: @escaping () -> Instant = { WallClock.now }) {
    (self.loop, self.path, self.clock) = (loop, path, clock)
    backoff = Backoff(from: retry, to: Self.longestRetry)
    pause = loop.timer { [unowned self] in read() }
  }

  deinit {
    endProcess()
  }

  /// Reads the calendar in the background, and from then on after each change.
  public func read() {
    guard child == nil else {
      isOutdated = true
      return
    }
    isOutdated = false
    // Watching begins before reading, so that no change is lost between both.
    watch()
    do throws(SystemCallError) {
      let process = try CalendarReader.start(path, at: clock())
      (octets, pid, signal) = ([], process.pid, nil)
      child = try loop.child(process.pid) { [unowned self] status in
        if case .signalled(let number) = status { signal = number }
        (child, pid) = (nil, nil)
        finish()
      }
      try process.output.setNonBlocking()
      stream = try OctetStream(loop, process.output)
      stream?.onOctets = { [unowned self] in if octets.count < Self.mostOutput { octets += $0 } }
      stream?.onEnd = { [unowned self] _ in
        stream = nil
        finish()
      }
    } catch {
      endProcess()
      tryAgainLater()
      onContent(CalendarContent(failure: "\(error)"))
    }
  }

  /// Kills the process that reads, whose result no longer counts.
  private func endProcess() {
    (child, stream) = (nil, nil)
    guard let pid else { return }
    self.pid = nil
    kill(pid, SIGKILL)
    loop.reap(pid)
  }

  /// Watches the folders that are not watched yet, or whose watch has ended.
  private func watch() {
    var paths = [path]
    if let target = realpath(path, nil) {
      defer { free(target) }
      let resolved = String(cString: target)
      if resolved != path { paths.append(resolved) }
    }
    watches = paths.compactMap { path in
      watches.first { $0.path == path && !$0.hasEnded } ?? FolderWatch(loop, file: path) { [unowned self] in changed() }
    }
  }

  private func tryAgainLater() {
    pause?.arm(at: loop.now + backoff.next())
  }

  /// Ends a reading when the process has ended and all of its output was read.
  private func finish() {
    guard stream == nil, child == nil else { return }
    let content = CalendarReader.content(octets, endedBy: signal)
    octets = []
    // Without a watch, as in a folder that is missing, nothing else says when there is something to read. A link may lead to a folder
    // that is not watched, and rights may change in a folder above.
    if isOutdated {
      changed()
    } else if watches.isEmpty || !content.isComplete || content.failure != nil {
      tryAgainLater()
    } else {
      backoff.reset()
    }
    onContent(content)
  }

  private func changed() {
    pause?.arm(at: loop.now + Self.settling)
  }
}

/// Watches for a file that is written, linked, replaced, removed or made readable.
///
/// It costs nothing while no file of its folder changes.
private final class FolderWatch {
  let path: String
  /// Whether the folder was removed or renamed.
  private(set) var hasEnded = false
  private let notifications: FileDescriptor
  private var io: IOSource?
  private let name: String
  private let onChange: () -> Void

  /// Returns nil if the folder cannot be watched.
  init?(_ loop: Loop, file path: String, onChange: @escaping () -> Void) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    name = String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    (self.path, self.onChange) = (path, onChange)
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { return nil }
    notifications = FileDescriptor(owning: number)
    // A link is created without being written, and rights may let the file be read.
    let events = UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF)
    guard inotify_add_watch(number, folder.isEmpty ? "/" : folder, events) >= 0 else { return nil }
    do throws(SystemCallError) {
      io = try loop.io(number, .readable) { [unowned self] _ in if drain() { self.onChange() } }
    } catch {
      return nil
    }
  }

  deinit {
    io?.cancel()
  }

  /// Reads the changes, and returns whether one is of the file, or of the folder itself.
  private func drain() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var isOfFile = false
    while true {
      let count = Glibc.read(notifications.number, &buffer, buffer.count)
      guard count > 0 else { return isOfFile }
      var offset = 0
      let header = MemoryLayout<inotify_event>.size
      while offset + header <= count {
        let change = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
        let end = min(count, offset + header + Int(change.len))
        // After an overflow of the queue, the file may have changed as well.
        if change.mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 { hasEnded = true }
        if change.mask & UInt32(IN_IGNORED | IN_MOVE_SELF | IN_Q_OVERFLOW) != 0 { isOfFile = true }
        if String(decoding: buffer[(offset + header)..<end].prefix { $0 != 0 }, as: UTF8.self) == name { isOfFile = true }
        offset = end
      }
    }
  }
}
