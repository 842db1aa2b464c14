import Locations
import Logging

/// Logs the health of sources. A source that fails, is tried and fails again is logged once.
struct HeadingHealthLog {
  private struct Entry {
    var note: String?
    var isMeasuring = false
    var remark: String?
  }

  private let log: Logger
  private var entries: [String: Entry] = [:]
  /// The problem of the magnetic model that is in the log.
  private var modelNote: String?
  /// Whether a failure of a source is in the log.
  private var hasFailed = false

  init(_ log: Logger) { self.log = log }

  mutating func write(_ health: HeadingHealth, of source: String) {
    var entry = entries[source] ?? Entry()
    if let note = health.note {
      guard entry.note != note else { return }
      entry.note = note
      hasFailed = true
      log.warning("\(source): \(note)")
    } else if health.state == .measuring, !entry.isMeasuring {
      entry.isMeasuring = true
      log.notice("\(source) provides the heading of this device")
    }
    if let remark = health.remark, remark != entry.remark {
      entry.remark = remark
      log.notice("\(source): \(remark)")
    }
    entries[source] = entry
  }

  /// Writes the problem of the magnetic model, once; nil if there is none.
  mutating func write(modelNote: String?) {
    guard modelNote != self.modelNote else { return }
    self.modelNote = modelNote
    if let modelNote { log.warning("true headings are less certain: \(modelNote)") }
  }

  /// Notes that a source works, so that its next failure is logged even if it failed before.
  mutating func prove(_ source: String) {
    if hasFailed, entries[source]?.note != nil { entries[source] = Entry(isMeasuring: true, remark: entries[source]?.remark) }
  }

  /// Forgets the sources, which have been replaced.
  mutating func forget() { (entries, hasFailed) = ([:], false) }
}
