import DBus
import MonitorProtocol
import Records
import VisitStatistics
import Visits

// MARK: The visits of each day on the bus

extension VisitStatistics {
  /// Maximum number of rows in one answer: a longer message would delay other clients.
  private var mostRows: Int { 500 }

  var dailyVisits: DBusMethod {
    DBusMethod(
      "DailyVisits", in: [DBusArgument("day", "s"), DBusArgument("region", "s"), DBusArgument("limit", "u")],
      out: [DBusArgument("days", "aa{sv}")]
    ) { [unowned self] (call) throws(DBusError) in try dailyVisits(call.arguments) }
  }

  /// Answers `DailyVisits`.
  ///
  /// - Parameter arguments: the day and the region of the last row that the caller has, and the limit.
  private func dailyVisits(_ arguments: [DBusValue]) throws(DBusError) -> [DBusValue] {
    let day = arguments[0].string ?? ""
    var key: DailyVisits.Key?
    if !day.isEmpty {
      guard let number = LocalCalendar.day(day) else {
        throw .monitor(
          .invalidOptions, "\"\(day.prefix(40))\" is not a day; write it as in 2026-11-24, or an empty text for the first day")
      }
      key = DailyVisits.Key(day: number, region: arguments[1].string ?? "")
    }
    do throws(VisitFileFailure) {
      let days = try days(after: key, limit: min(mostRows, arguments[2].integer() ?? mostRows))
      return [.array(of: "a{sv}", days.map(\.record.dbusValue))]
    } catch {
      throw .monitor(.journalUnreadable, "the visits cannot be read now, retry later: \(error.reason)")
    }
  }
}
