import HTTPMessages
import Records
import Venues
import WebAccess

extension PageRoute {
  /// The maximum number of edits of one request.
  private static let mostEdits = 1000

  /// The files of venues, of which the daemon stores changes.
  static func editorRoutes(_ queries: any PageQueries, _ drawings: any VenueDrawings) -> [PageRoute] {
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
              result.map { found in
                let record = Record([
                  "venue": .text(venue), "text": .text(found.text), "revision": .text(found.revision), "editable": .flag(editable),
                ])
                return .drawing(record, of: found.text, drawings)
              })
          }
        }
      },
      PageRoute("/api/venue/history", role: .edit) { (request, answer) throws(PageRefusal) in
        queries.requestVenueHistory(try request.needed("venue")) { result in
          answer(result.response { Record(["versions": .list($0.map(\.record))]) })
        }
      },
      PageRoute("/api/venue/apply", isChange: true, role: .edit) { (request, answer) throws(PageRefusal) in
        let content = try request.json()
        guard let old = content["text"]?.text, let edits = content["edits"]?.list, edits.count <= mostEdits else {
          throw PageRefusal(400, "json", "the content needs text and edits, a list of at most \(mostEdits)")
        }
        let text = try drawings.apply(edits, to: old)
        queries.checkVenue(text) { result in
          let record = Record(["text": .text(text)])
          switch result {
          case .success(let warnings): answer(.success(.drawing(record, of: text, drawings, warnings: warnings)))
          case .failure(let refusal) where refusal.problems != nil:
            answer(.success(.drawing(record, of: text, drawings, problems: refusal.problems ?? [])))
          case .failure(let refusal): answer(.failure(refusal))
          }
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

extension HTTPServerResponse {
  /// The keys of a record, the drawing of a text as `model`, and the remarks about it.
  ///
  /// A text that is not TOML has no drawing.
  fileprivate static func drawing(
    _ record: Record, of text: String, _ drawings: any VenueDrawings, problems: [String] = [], warnings: [String] = []
  ) -> HTTPServerResponse {
    var (model, problems) = ("null", problems)
    do throws(PageRefusal) { model = try drawings.drawing(of: text) } catch {
      if problems.isEmpty { problems = error.problems ?? [error.message] }
    }
    return HTTPServerResponse(
      contentType: "application/json",
      "\(record.json.dropLast()),\"model\":\(model),\"problems\":\(JSONTexts.list(problems)),\"warnings\":\(JSONTexts.list(warnings))}")
  }
}
