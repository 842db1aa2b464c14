import DBus
import Events
import MonitorProtocol
import Monitoring

// MARK: The journal on the bus

extension JournalService {
  /// Maximum number of events in one answer: a longer message would delay other clients.
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

  /// Answers `EventsSince`.
  ///
  /// - Parameter arguments: journal, sequence and limit.
  func events(_ arguments: [DBusValue]) throws(DBusError) -> [DBusValue] {
    let journal = arguments[0].string ?? ""
    let limit = min(mostEvents, arguments[2].integer() ?? mostEvents)
    do throws(JournalFailure) {
      if let events = try events(of: journal, after: arguments[1].integer() ?? .max, limit: limit) {
        return [.array(of: "a{sv}", events.map(\.dbusValue))]
      }
    } catch {
      throw .monitor(MonitorNames.journalUnreadable, "the journal cannot be read now, retry later: \(error.reason)")
    }
    throw .monitor(
      MonitorNames.journalChanged,
      "journal \"\(journal)\" has no more events; continue with the first event of the next journal, or of \(name)"
    )
  }
}
