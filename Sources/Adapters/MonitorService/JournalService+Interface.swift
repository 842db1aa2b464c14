import DBus
import Events
import MonitorProtocol
import Monitoring
import Records
import Status

// MARK: The journal on the bus

extension JournalService {
  /// Maximum number of events in one answer: a longer message would delay other clients.
  private var mostEvents: Int { 250 }

  var properties: [DBusProperty] {
    [
      DBusProperty(JournalStatus.key(\.name)) { [unowned self] in name },
      DBusProperty("EarlierJournals", "as", change: .silent) { [unowned self] in .strings(earlierNames) },
      DBusProperty(JournalStatus.key(\.lastSequence), change: .silent) { [unowned self] in lastSequence },
      DBusProperty(JournalStatus.key(\.isDurable)) { [unowned self] in isDurable },
      DBusProperty(JournalStatus.key(\.note)) { [unowned self] in note },
      DBusProperty(JournalStatus.key(\.damagedEvents)) { [unowned self] in damagedEventCount },
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
      throw .monitor(.journalUnreadable, "the journal cannot be read now, retry later: \(error.reason)")
    }
    throw .monitor(
      .journalChanged,
      "journal \"\(journal)\" has no more events; continue with the first event of the next journal, or of \(name)"
    )
  }
}
