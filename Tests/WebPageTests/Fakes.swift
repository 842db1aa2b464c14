import Events
import HTTPMessages
import Instants
import Records
import TestSupport
import Venues
import Visits
import WebAccess
import WebPage

/// A daemon whose answers and signals the test decides.
final class FakeDaemon: LiveSource, PageQueries {
  /// Counts the objects that the feed holds.
  final class Watch {
    let onEnd: () -> Void
    init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }

  private(set) var watchCount = 0
  private(set) var presence: (Bool) -> Void = { _ in }
  private(set) var venues: () -> Void = {}
  private(set) var events: ([Event]) -> Void = { _ in }
  private(set) var observations: (LiveObservation) -> Void = { _ in }
  var status: Result<Record, PageRefusal> = .success(Record(["version": .text("1")]))
  private(set) var statusCount = 0
  var plans: [PlanReport] = []
  var plan: Result<PlanReport, PageRefusal> = .success(PlanReport())
  var saved: Result<SavedVenueText, PageRefusal> = .success(SavedVenueText(venue: "v", revision: "2", warnings: ["line 1: \"odd\""]))
  var checked: Result<[String], PageRefusal> = .success(["line 2: \"odd\""])
  var survey: [SurveyReadingReport] = []
  private(set) var saves: [(text: String, revision: String)] = []
  private(set) var eventRequests: [(last: Int, before: UInt64?)] = []

  private func watch() -> AnyObject {
    watchCount += 1
    return Watch { [weak self] in self?.watchCount -= 1 }
  }

  func watchPresence(_ handler: @escaping (Bool) -> Void) -> AnyObject {
    presence = handler
    return watch()
  }
  func watchVenues(_ handler: @escaping () -> Void) -> AnyObject {
    venues = handler
    return watch()
  }
  func followEvents(_ handler: @escaping ([Event]) -> Void) -> AnyObject {
    events = handler
    return watch()
  }
  func observe(_ handler: @escaping (LiveObservation) -> Void) -> AnyObject {
    observations = handler
    return watch()
  }
  func requestStatus(_ completion: @escaping (Result<Record, PageRefusal>) -> Void) {
    statusCount += 1
    completion(status)
  }
  func requestPlans(locale: String?, _ completion: @escaping Answer<[PlanReport]>) { completion(.success(plans)) }
  func requestPlan(level: String, venue: String?, locale: String?, _ completion: @escaping Answer<PlanReport>) { completion(plan) }
  func requestPlaces(locale: String?, _ completion: @escaping Answer<[PlaceReport]>) { completion(.success([])) }
  func requestEvents(last: Int, before: UInt64?, _ completion: @escaping Answer<JournalPage>) {
    eventRequests.append((last, before))
    completion(.success(JournalPage(journal: "j", events: [event(4), event(5)], isComplete: true)))
  }
  func requestVisits(since day: Int?, _ completion: @escaping Answer<[DailyVisits]>) { completion(.success([])) }
  func requestVenueFiles(_ completion: @escaping Answer<[VenueFile]>) {
    completion(.success([VenueFile("v", file: "/v.toml", revision: "1")]))
  }
  func requestVenueText(_ venue: String, revision: String?, _ completion: @escaping Answer<(text: String, revision: String)>) {
    completion(venue == "v" ? .success(("name = \"<b>\"", "1")) : .failure(PageRefusal(404, "not-found", "there is no venue")))
  }
  func requestVenueHistory(_ venue: String, _ completion: @escaping Answer<[VenueVersion]>) { completion(.success([])) }
  func requestSurvey(level: String, venue: String?, _ completion: @escaping Answer<[SurveyReadingReport]>) { completion(.success(survey)) }
  func checkVenue(_ text: String, _ completion: @escaping Answer<[String]>) { completion(checked) }
  func saveVenue(_ text: String, replacing revision: String, _ completion: @escaping Answer<SavedVenueText>) {
    saves.append((text, revision))
    completion(saved)
  }
}

/// Sessions that end with the test.
final class FakeStore: WebSessionStore {
  func load() -> String? { nil }
  func save(_ text: String) {}
}

/// Drawings that contain their text, and edits that are a text of their own.
struct FakeDrawings: VenueDrawings {
  func drawing(of text: String) throws(PageRefusal) -> String {
    if text == "bad0" {
      var refusal = PageRefusal(422, "invalid", "bad")
      refusal.problems = ["line 1: bad"]
      throw refusal
    }
    return "{\"drawn\":\(text.count)}"
  }
  func apply(_ edits: [Record], to text: String) throws(PageRefusal) -> String { text + "\(edits.count)" }
}

/// Maps with one row.
final class FakeMaps: ErrorMaps {
  var errors: PredictedErrors? = PredictedErrors(cell: 0.5, x: 1, y: -2, columns: 2, errors: [nil, 2.345])
  func requestErrors(on plan: PlanReport, _ completion: @escaping (PredictedErrors?) -> Void) { completion(errors) }
}

/// Files that answer with their path.
final class FakeFiles: PageFiles {
  var refusal: PageRefusal?

  func response(to request: HTTPServerRequest) -> HTTPServerResponse { HTTPServerResponse("file \(request.path)") }
  func picture(_ path: String) throws(PageRefusal) -> HTTPServerResponse {
    try check(picture: path)
    return HTTPServerResponse(contentType: "image/png", path)
  }
  func check(picture path: String) throws(PageRefusal) { if let refusal { throw refusal } }
}

func event(_ sequence: UInt64, journal: String = "j") -> Event {
  var event = Event(sequence: sequence, kind: .enter, region: "hall", time: nil, state: .inside, reason: Event.Reason(.test))
  event.journal = journal
  return event
}

extension EventStream {
  /// Everything that was sent since the last call.
  func read() -> String { String(decoding: take(.max), as: UTF8.self) }

  /// The names of the events that were sent since the last call.
  func readNames() -> [String] { read().split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) } }

  /// Ends the stream as the server does when the client has left.
  func leave() {
    end()
    onEnd()
  }
}
