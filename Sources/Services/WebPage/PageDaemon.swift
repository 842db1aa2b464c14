public import Events
public import HTTPMessages
public import Locations
public import Records
public import Venues
public import Visits

/// The daemon as the live feed sees it.
public protocol LiveSource: AnyObject {
  /// Reports whether the daemon is on the bus, and each change, while the result is held.
  func watchPresence(_ handler: @escaping (Bool) -> Void) -> AnyObject
  /// Reports changes of the venues while the result is held.
  func watchVenues(_ handler: @escaping () -> Void) -> AnyObject
  /// Reports the events from now on, in order and without a gap, while the result is held.
  func followEvents(_ handler: @escaping ([Event]) -> Void) -> AnyObject
  /// Receives beacons and locations while the result is held, across restarts of the daemon.
  func observe(_ handler: @escaping (LiveObservation) -> Void) -> AnyObject
  func requestStatus(_ completion: @escaping (Result<Record, PageRefusal>) -> Void)
  func requestPlans(locale: String?, _ completion: @escaping (Result<[PlanReport], PageRefusal>) -> Void)
}

public enum LiveObservation {
  /// All beacons in range, about once a second.
  case beacons(Record)
  case located(LocationReport)
  /// No source knows the location, for this reason.
  case locationUnknown(String)
  /// The user of this process may not observe, for this reason with its remedy.
  case denied(String)
  case permitted
}

/// The daemon as the requests of the page see it.
public protocol PageQueries: AnyObject {
  typealias Answer<Value> = (Result<Value, PageRefusal>) -> Void

  func requestPlans(locale: String?, _ completion: @escaping Answer<[PlanReport]>)
  func requestPlan(level: String, venue: String?, locale: String?, _ completion: @escaping Answer<PlanReport>)
  /// Requests all places with their areas.
  func requestPlaces(locale: String?, _ completion: @escaping Answer<[PlaceReport]>)
  /// Requests the last events before a sequence of the journal in use, oldest first; nil for the end of the journal.
  func requestEvents(last: Int, before: UInt64?, _ completion: @escaping Answer<JournalPage>)
  /// Requests the visits from this day on.
  func requestVisits(since day: Int?, _ completion: @escaping Answer<[DailyVisits]>)
  func requestVenueFiles(_ completion: @escaping Answer<[VenueFile]>)
  /// Requests the text of a venue and its revision; nil for the present text.
  func requestVenueText(_ venue: String, revision: String?, _ completion: @escaping Answer<(text: String, revision: String)>)
  func requestVenueHistory(_ venue: String, _ completion: @escaping Answer<[VenueVersion]>)
  /// Requests all readings of the survey of a level.
  func requestSurvey(level: String, venue: String?, _ completion: @escaping Answer<[SurveyReadingReport]>)
  /// Checks a text, and completes with warnings.
  func checkVenue(_ text: String, _ completion: @escaping Answer<[String]>)
  /// Stores a venue, and completes with its id, its revision and warnings.
  func saveVenue(_ text: String, replacing revision: String, _ completion: @escaping Answer<SavedVenueText>)
}

public struct SavedVenueText {
  public let venue: String
  public let revision: String
  public let warnings: [String]

  public init(venue: String, revision: String, warnings: [String]) {
    (self.venue, self.revision, self.warnings) = (venue, revision, warnings)
  }
}

/// The files of the page, and the pictures of plans.
public protocol PageFiles: AnyObject {
  /// Answers a request for a file of the page.
  func response(to request: HTTPServerRequest) -> HTTPServerResponse
  /// Answers with a picture of the daemon, or throws why it cannot be shown.
  func picture(_ path: String) throws(PageRefusal) -> HTTPServerResponse
  /// Checks a picture without reading it whole; throws why it cannot be shown.
  func check(picture path: String) throws(PageRefusal)
}
