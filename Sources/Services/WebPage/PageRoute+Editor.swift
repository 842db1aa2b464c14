import HTTPMessages
import Records
import Venues
import WebAccess

extension PageRoute {
  /// The files of venues, of which the daemon stores changes.
  static func editorRoutes(_ queries: any PageQueries) -> [PageRoute] {
    [
      PageRoute("/api/venues") { _, answer in
        queries.requestVenueFiles { result in answer(result.response { Record(["venues": .list($0.map(\.record))]) }) }
      },
      PageRoute("/api/venue", role: .edit) { (request, answer) throws(PageRefusal) in
        let (venue, revision) = (try request.needed("venue"), request.argument("revision"))
        queries.requestVenueFiles { files in
          let editable = (try? files.get())?.first { $0.venue == venue }?.editable ?? false
          queries.requestVenueText(venue, revision: revision) { result in
            answer(
              result.response {
                Record([
                  "venue": .text(venue), "text": .text($0.text), "revision": .text($0.revision), "editable": .flag(editable),
                ])
              })
          }
        }
      },
      PageRoute("/api/venue/history", role: .edit) { (request, answer) throws(PageRefusal) in
        queries.requestVenueHistory(try request.needed("venue")) { result in
          answer(result.response { Record(["versions": .list($0.map(\.record))]) })
        }
      },
      PageRoute("/api/venue/save", isChange: true, role: .edit) { (request, answer) throws(PageRefusal) in
        let record = try request.json()
        guard let text = record["text"]?.text, let revision = record["revision"]?.text else {
          throw PageRefusal(400, "json", "the content needs the texts text and revision")
        }
        queries.saveVenue(text, replacing: revision) { result in
          answer(
            result.map { saved in
              let record = Record(["venue": .text(saved.venue), "revision": .text(saved.revision)])
              return HTTPServerResponse(
                contentType: "application/json", "\(record.json.dropLast()),\"warnings\":\(JSONTexts.list(saved.warnings))}")
            })
        }
      },
    ]
  }
}
