import DBus
import Events
import MonitorClient
import Records
import Venues
import Visits
import WebPage

/// The daemon on the bus, as the page sees it. All requests and the session share one connection.
final class DaemonLink {
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

extension DaemonLink: LiveSource {
  func watchPresence(_ handler: @escaping (Bool) -> Void) -> AnyObject { client.watchPresence(handler) }

  func watchVenues(_ handler: @escaping () -> Void) -> AnyObject { client.watchVenues(handler) }

  func followEvents(_ handler: @escaping ([Event]) -> Void) -> AnyObject { client.followEvents(handler: handler) }

  func observe(_ handler: @escaping (LiveObservation) -> Void) -> AnyObject { PlaceObservation(connection.loop, self, handler) }

  func requestStatus(_ completion: @escaping (Result<Record, PageRefusal>) -> Void) {
    client.status { completion($0.mapError(PageRefusal.init)) }
  }
}

extension DaemonLink: PageQueries {
  func requestPlans(locale: String?, _ completion: @escaping Answer<[PlanReport]>) {
    client.venues(locale: locale).plans { completion($0.mapError(PageRefusal.init)) }
  }

  func requestPlan(level: String, venue: String?, locale: String?, _ completion: @escaping Answer<PlanReport>) {
    client.venues(locale: locale).plan(ofLevel: level, venue: venue) { completion($0.mapError(PageRefusal.init)) }
  }

  func requestPlaces(locale: String?, _ completion: @escaping Answer<[PlaceReport]>) { requestPlaces(locale, [], completion) }

  /// The maximum number of places of one answer, and of all.
  private static let (placesOfPage, mostPlaces) = (250, 20_000)

  private func requestPlaces(_ locale: String?, _ known: [PlaceReport], _ completion: @escaping Answer<[PlaceReport]>) {
    client.venues(locale: locale).places(offset: known.count, limit: Self.placesOfPage, hasAreas: true) { [self] answer in
      switch answer {
      case .success(let page) where page.count < Self.placesOfPage || known.count > Self.mostPlaces: completion(.success(known + page))
      case .success(let page): requestPlaces(locale, known + page, completion)
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

  /// The readings of one answer of the daemon, and the most of all.
  private static let (readingsOfPage, mostReadings) = (1000, 100_000)

  func requestSurvey(level: String, venue: String?, _ completion: @escaping Answer<[SurveyReadingReport]>) {
    requestSurvey(level, venue, [], completion)
  }

  private func requestSurvey(
    _ level: String, _ venue: String?, _ known: [SurveyReadingReport], _ completion: @escaping Answer<[SurveyReadingReport]>
  ) {
    client.venues().survey(ofLevel: level, venue: venue, offset: known.count) { [self] answer in
      switch answer {
      case .success(let page) where page.count < Self.readingsOfPage || known.count > Self.mostReadings: completion(.success(known + page))
      case .success(let page): requestSurvey(level, venue, known + page, completion)
      case .failure(let error): completion(.failure(PageRefusal(error)))
      }
    }
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

extension DaemonLink {
  /// The number of answers of the daemon that are read for one answer of the page.
  private static let mostPages = 16

  func requestEvents(last: Int, before: UInt64?, _ completion: @escaping Answer<JournalPage>) {
    client.journal.names { [self] answer in
      switch answer {
      case .success(let names):
        let end = min(before ?? .max, names.lastSequence == .max ? .max : names.lastSequence + 1)
        collect(names.current, last, before: end, [], pages: Self.mostPages, completion)
      case .failure(let error): completion(.failure(PageRefusal(error)))
      }
    }
  }

  /// Reads the journal backwards.
  private func collect(
    _ journal: String, _ last: Int, before end: UInt64, _ known: [Event], pages: Int, _ completion: @escaping Answer<JournalPage>
  ) {
    let missing = UInt64(last - known.count)
    guard end > 1, missing > 0, pages > 0 else {
      return completion(.success(JournalPage(journal: journal, events: known, isComplete: end <= 1)))
    }
    let size = min(UInt64(RemoteJournal.pageSize), missing)
    let start = end > size + 1 ? end - size - 1 : 0
    client.journal.events(after: EventPlace(journal: journal, sequence: start), limit: Int(end - start - 1)) { [self] answer in
      switch answer {
      case .success(let page):
        // Behind a gap of damaged events there are others than were asked for.
        let events = (page ?? []).filter { $0.sequence < end }
        collect(journal, last, before: start + 1, events + known, pages: pages - 1, completion)
      case .failure(let error): completion(.failure(PageRefusal(error)))
      }
    }
  }
}
