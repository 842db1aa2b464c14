import Events
import HTTPMessages
import Records
import Visits

extension PageRoute {
  /// The maximum number of events of one answer.
  private static let mostEvents = 500

  /// The events of the journal, and the visits of each day.
  static func journalRoutes(_ queries: any PageQueries) -> [PageRoute] {
    [
      PageRoute("/api/events") { (request, answer) throws(PageRefusal) in
        let last = try request.number("last") ?? 200
        let before = try request.number("before").map { UInt64($0) }
        queries.requestEvents(last: min(max(1, last), mostEvents), before: before) { result in
          answer(
            result.map { page in
              let events = page.events.map(\.json).joined(separator: ",")
              let record = Record(["journal": .text(page.journal), "isComplete": .flag(page.isComplete)])
              return HTTPServerResponse(contentType: "application/json", "\(record.json.dropLast()),\"events\":[\(events)]}")
            })
        }
      },
      PageRoute("/api/visits") { (request, answer) throws(PageRefusal) in
        var day: Int?
        if let text = request.argument("since") {
          day = LocalCalendar.day(text)
          guard day != nil else { throw PageRefusal(400, "argument", "since is not a day; write one such as 2026-09-01") }
        }
        queries.requestVisits(since: day) { result in answer(result.response { Record(["days": .list($0.map(\.record))]) }) }
      },
    ]
  }
}

extension HTTPServerRequest {
  /// Returns an argument that is a number from 0; nil without it.
  fileprivate func number(_ name: String) throws(PageRefusal) -> Int? {
    guard let text = argument(name) else { return nil }
    guard let number = Int(text), number >= 0 else { throw PageRefusal(400, "argument", "\(name) is not a whole number from 0") }
    return number
  }
}
