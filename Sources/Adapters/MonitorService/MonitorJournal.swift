import DBus
import Events
import MonitorProtocol

/// Where the events are that were sent.
public protocol MonitorJournal: AnyObject {
  /// The identity of the journal in use.
  var name: String { get }
  /// Those before it of which events are left, oldest first.
  var earlierNames: [String] { get }
  /// Of the last event; zero before the first.
  var lastSequence: UInt64 { get }
  /// Whether events survive the daemon.
  var isDurable: Bool { get }
  /// What is wrong with it, and what to do; nil while nothing is.
  var note: String? { get }
  /// How many events of it and of those before it are known to be damaged or lost.
  var damagedEventCount: UInt64 { get }
  /// The events of a journal after `sequence`, at most `limit`, in order; nil when it has no more and another one is in use. In place of events that are
  /// damaged stands one that says so.
  func events(of journal: String, after sequence: UInt64, limit: Int) throws(JournalFailure) -> [Event]?
}

/// Events that cannot be read now, and perhaps later.
public struct JournalFailure: Error, Hashable, Sendable {
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}

// MARK: What the bus shows of it

extension MonitorJournal {
  /// More would make a message that keeps others waiting.
  private var mostEvents: Int { 250 }

  var properties: [DBusProperty] {
    [
      DBusProperty("Journal", "s") { [unowned self] in .string(name) },
      DBusProperty("EarlierJournals", "as", change: .silent) { [unowned self] in .strings(earlierNames) },
      DBusProperty("LastSequence", "t", change: .silent) { [unowned self] in .uint64(lastSequence) },
      DBusProperty("Durable", "b") { [unowned self] in .boolean(isDurable) },
      DBusProperty("JournalNote", "s") { [unowned self] in note.map { .string($0) } },
      DBusProperty("DamagedEvents", "t") { [unowned self] in .uint64(damagedEventCount) },
    ]
  }

  var eventsSince: DBusMethod {
    DBusMethod(
      "EventsSince", in: [DBusArgument("journal", "s"), DBusArgument("sequence", "t"), DBusArgument("limit", "u")],
      out: [DBusArgument("events", "aa{sv}")]
    ) { [unowned self] (call) throws(DBusError) in try events(call.arguments) }
  }

  /// - Parameter arguments: journal, sequence and limit.
  func events(_ arguments: [DBusValue]) throws(DBusError) -> [DBusValue] {
    let journal = arguments[0].string ?? ""
    let limit = min(mostEvents, arguments[2].integer() ?? mostEvents)
    do throws(JournalFailure) {
      if let events = try events(of: journal, after: arguments[1].integer() ?? .max, limit: limit) {
        return [.array(of: "a{sv}", events.map(\.dbusValue))]
      }
    } catch {
      throw .monitor(MonitorNames.journalUnreadable, "the journal cannot be read now, ask again later: \(error.reason)")
    }
    throw .monitor(
      MonitorNames.journalChanged, "journal \"\(journal)\" has no more events; go on with the one after it, or with \(name), from its first"
    )
  }
}
