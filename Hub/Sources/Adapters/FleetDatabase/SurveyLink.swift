import Beacons
import Instants
import PostgreSQL
import RoomSurveying
import Rooms

/// The link of an installer to the database, which is opened again if it breaks during a walk.
public final class SurveyLink {
  /// The maximum number of attempts of a call.
  ///
  /// The pauses between them add up to about 40 s: a server has started again by then.
  static let mostAttempts = 8

  private let connect: () throws -> PostgreSQLConnection
  private let report: (String) -> Void
  private let pause: (Span) -> Void
  private var surveys: SurveyDatabase?
  private var hasConnected = false

  /// - Parameters:
  ///   - connect: Opens a link to the database.
  ///   - report: Prints a line for the installer.
  ///   - pause: Waits.
  public init(connect: @escaping () throws -> PostgreSQLConnection, report: @escaping (String) -> Void, pause: @escaping (Span) -> Void) {
    (self.connect, self.report, self.pause) = (connect, report, pause)
  }

  /// Calls a function with the database, again and on a new link after an error that may pass.
  ///
  /// The function must be safe to run twice. The first link is tried only once.
  ///
  /// - Throws: the last error of the database.
  public func run<Result>(_ work: (SurveyDatabase) throws -> Result) throws -> Result {
    var backoff = Backoff(from: .seconds(1), to: .seconds(8))
    var attempts = 0
    while true {
      do {
        let database = try surveys ?? SurveyDatabase(try connect())
        (surveys, hasConnected) = (database, true)
        return try work(database)
      } catch let error as PostgreSQLError {
        // After most errors the link cannot be used again.
        surveys = nil
        attempts += 1
        guard hasConnected, error.isTemporary, attempts < Self.mostAttempts else { throw error }
        let wait = backoff.next()
        report("\(error); connects again in \(Int(wait.seconds.rounded(.up))) s")
        pause(wait)
      }
    }
  }
}

extension SurveyLink: SurveyStore {
  public func time() throws -> Int64 { try run { try $0.time() } }

  public func devices(of site: String) throws -> [PlacedDevice]? { try run { try $0.devices(of: site) } }

  public func tags(of site: String, major: UInt16, minor: UInt16) throws -> [BeaconIdentity] {
    try run { try $0.tags(of: site, major: major, minor: minor) }
  }

  public func levels(
    of tag: BeaconIdentity, at site: String, during parts: [ClosedRange<Int64>], devices: [PlacedDevice]
  ) throws -> WalkLevels {
    try run { try $0.levels(of: tag, at: site, during: parts, devices: devices) }
  }

  public func store(_ survey: RoomSurvey, at site: String, from begin: Int64, by actor: String) throws {
    try run { try $0.store(survey, at: site, from: begin, by: actor) }
  }

  public func forget(_ room: String?, at site: String, by actor: String) throws -> [String] {
    try run { try $0.forget(room, at: site, by: actor) }
  }

  public func rooms(of site: String) throws -> [SurveyedRoom] { try run { try $0.rooms(of: site) } }

  public func survey(of room: String, at site: String) throws -> RoomSurvey? { try run { try $0.survey(of: room, at: site) } }
}
