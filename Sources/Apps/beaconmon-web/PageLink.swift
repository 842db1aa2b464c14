import DBus
import Events
import MonitorClient
import Records
import Venues
import Visits
import WebPage

/// The daemon on the bus, as the page sees it. All requests and the session share one connection.
final class PageLink {
  let client: MonitorClient
  let connection: DBusConnection
  /// Receives the events of the session.
  var placeHandler: (PlaceEvent) -> Void = { _ in }
  /// The session for all observations; the end of the connection alone ends it.
  private(set) lazy var session = RemoteSession(
    connection, purpose: "Shows the beacons and the position of this device on a page in the browser", appID: "org.beaconmon.Web"
  ) { [unowned self] in
    if let event = PlaceEvent($0) { placeHandler(event) }
  }

  init(_ connection: DBusConnection) {
    self.connection = connection
    client = MonitorClient(connection)
  }
}

extension PageLink: LiveSource {
  func watchPresence(_ handler: @escaping (Bool) -> Void) -> AnyObject { client.watchPresence(handler) }

  func watchVenues(_ handler: @escaping () -> Void) -> AnyObject { client.watchVenues(handler) }

  func followEvents(_ handler: @escaping ([Event]) -> Void) -> AnyObject { client.followEvents(handler: handler) }

  func observe(_ handler: @escaping (LiveObservation) -> Void) -> AnyObject { PlaceObservation(connection.loop, self, handler) }

  func requestStatus(_ completion: @escaping (Result<Record, PageRefusal>) -> Void) {
    client.status { completion($0.mapError(PageRefusal.init)) }
  }
}

extension PageLink: PageQueries {
  func requestPlans(locale: String?, _ completion: @escaping Answer<[PlanReport]>) {
    client.venues(locale: locale).plans { completion($0.mapError(PageRefusal.init)) }
  }

  func requestPlan(level: String, venue: String?, locale: String?, _ completion: @escaping Answer<PlanReport>) {
    client.venues(locale: locale).plan(ofLevel: level, venue: venue) { completion($0.mapError(PageRefusal.init)) }
  }

  func requestPlaces(locale: String?, _ completion: @escaping Answer<[PlaceReport]>) {
    let venues = client.venues(locale: locale)
    let items = PagedItems.places
    collect(items, completion) { venues.places(offset: $0, limit: items.pageSize, hasAreas: true, $1) }
  }

  /// Requests pages until `items` are complete.
  private func collect<Item>(
    _ items: PagedItems<Item>, _ completion: @escaping Answer<[Item]>,
    _ request: @escaping (_ offset: Int, @escaping (Result<[Item], DBusError>) -> Void) -> Void
  ) {
    guard !items.isComplete else { return completion(.success(items.all)) }
    request(items.all.count) { [self] answer in
      switch answer {
      case .success(let page): collect(items.adding(page), completion, request)
      case .failure(let error): completion(.failure(PageRefusal(error)))
      }
    }
  }

  func requestVisits(since day: Int?, _ completion: @escaping Answer<[DailyVisits]>) {
    // An empty region comes before all regions of its day.
    client.journal.dailyVisits(after: day.map { DailyVisits.Key(day: $0, region: "") }) { completion($0.mapError(PageRefusal.init)) }
  }

  func requestVenueFiles(_ completion: @escaping Answer<[VenueFile]>) { client.venueFiles { completion($0.mapError(PageRefusal.init)) } }

  func requestVenueText(_ venue: String, revision: String?, _ completion: @escaping Answer<(text: String, revision: String)>) {
    client.venueText(venue, revision: revision) { completion($0.map { ($0.text, $0.revision) }.mapError(PageRefusal.init)) }
  }

  func requestVenueHistory(_ venue: String, _ completion: @escaping Answer<[VenueVersion]>) {
    client.venueHistory(venue) { completion($0.mapError(PageRefusal.init)) }
  }

  func requestSurvey(level: String, venue: String?, _ completion: @escaping Answer<[SurveyReadingReport]>) {
    let venues = client.venues()
    collect(.readings, completion) { venues.survey(ofLevel: level, venue: venue, offset: $0, $1) }
  }

  func checkVenue(_ text: String, _ completion: @escaping Answer<[String]>) {
    client.checkVenue(text) { completion($0.mapError(PageRefusal.init)) }
  }

  func saveVenue(_ text: String, replacing revision: String, _ completion: @escaping Answer<SavedVenueText>) {
    client.saveVenue(text, replacing: revision) { answer in
      completion(
        answer.map { SavedVenueText(venue: $0.venue, revision: $0.revision, warnings: $0.warnings) }.mapError(PageRefusal.init))
    }
  }
}

// MARK: Events

extension PageLink {
  func requestEvents(last: Int, before: UInt64?, _ completion: @escaping Answer<JournalPage>) {
    client.journal.search {
      LatestEvents(last, of: $0.current, lastSequence: $0.lastSequence, before: before, pageSize: RemoteJournal.pageSize)
    } _: { answer in
      completion(answer.map(\.page).mapError(PageRefusal.init))
    }
  }
}
