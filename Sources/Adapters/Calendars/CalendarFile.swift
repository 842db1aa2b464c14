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
  private var isWatched = false
  private var schedule: CalendarSchedule
  private var timer: Timer?

  /// The maximum number of octets of the output of a reading.
  private static let mostOutput = 2 << 20

  /// - Parameters:
  ///   - retry: the first pause before another attempt; each one after it is twice as long.
  ///   - clock: the time since the Unix epoch, from which the next events are read.
  public init(_ loop: Loop, path: String, retry: Span = .seconds(60), clock: @escaping () -> Instant = { WallClock.now }) {
    (self.loop, self.path, self.clock) = (loop, path, clock)
    schedule = CalendarSchedule(retry: retry)
    timer = loop.timer { [unowned self] in read() }
  }

  deinit {
    endProcess()
  }

  /// Reads the calendar in the background, and from then on after each change.
  public func read() {
    guard schedule.begin(at: loop.now) else { return }
    timer?.arm(at: schedule.deadline)
    // Watching begins before reading, so that no change is lost between both.
    isWatched = watch()
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
      end(with: CalendarContent(failure: "\(error)"))
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

  /// Watches the folders that are not watched yet, or whose watch has ended. Returns whether each of them is watched.
  private func watch() -> Bool {
    var paths = [path]
    if let target = realpath(path, nil) {
      defer { free(target) }
      let resolved = String(cString: target)
      if resolved != path { paths.append(resolved) }
    }
    watches = paths.compactMap { path in
      watches.first { $0.path == path && !$0.hasEnded } ?? FolderWatch(loop, file: path) { [unowned self] in changed() }
    }
    return watches.count == paths.count
  }

  /// Ends a reading when the process has ended and all of its output was read.
  private func finish() {
    guard stream == nil, child == nil else { return }
    let content = CalendarReader.content(octets, endedBy: signal)
    octets = []
    end(with: content)
  }

  private func end(with content: CalendarContent) {
    // Without a watch, as in a folder that is missing, nothing else says when there is something to read. A missing file may be a link
    // to a folder that is not watched, and rights may change in a folder above.
    schedule.end(isCertain: isWatched && content.isComplete && content.failure == nil, at: loop.now)
    timer?.arm(at: schedule.deadline)
    onContent(content)
  }

  private func changed() {
    schedule.change(at: loop.now)
    timer?.arm(at: schedule.deadline)
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
