import DBus
import MonitorProtocol
import Records
import Visits

extension RemoteJournal {
  /// Maximum number of rows in one answer.
  private static let rowsOfPage = 500

  /// Requests the visits of each day and region, the oldest day first.
  ///
  /// - Parameters:
  ///   - key: the last row that the caller has; nil for all rows.
  ///   - completion: takes all rows, of as many answers as they need.
  public func dailyVisits(after key: DailyVisits.Key?, _ completion: @escaping (Result<[DailyVisits], DBusError>) -> Void) {
    page(after: key, [], completion)
  }

  private func page(
    after key: DailyVisits.Key?, _ known: [DailyVisits], _ completion: @escaping (Result<[DailyVisits], DBusError>) -> Void
  ) {
    let arguments: [DBusValue] = [
      .string(key.map { LocalCalendar.text(of: $0.day) } ?? ""), .string(key?.region ?? ""), .uint32(UInt32(Self.rowsOfPage)),
    ]
    call(MonitorNames.manager, "DailyVisits", arguments) { reply in
      switch reply {
      case .success(let values):
        let rows = (values.first?.elements ?? []).compactMap { value in Record(value).flatMap { DailyVisits($0) } }
        guard let last = rows.last, last.key != key else { return completion(.success(known)) }
        page(after: last.key, known + rows, completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }
}
