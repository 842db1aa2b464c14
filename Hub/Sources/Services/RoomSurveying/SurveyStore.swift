public import Beacons
import Instants
public import Rooms

/// The database with the surveys of rooms and the digests of walks.
public protocol SurveyStore {
  /// Returns the time of the database in milliseconds since 1970, by which digests are dated.
  func time() throws -> Int64

  /// Returns the devices of a site that have a room; nil if there is no such site.
  func devices(of site: String) throws -> [PlacedDevice]?

  /// Returns the tags of a site with this major and minor.
  func tags(of site: String, major: UInt16, minor: UInt16) throws -> [BeaconIdentity]

  /// Returns the levels of a tag during the parts of a walk.
  func levels(of tag: BeaconIdentity, at site: String, during parts: [ClosedRange<Int64>], devices: [PlacedDevice]) throws -> WalkLevels

  /// Stores a survey, and replaces an earlier one of the room.
  func store(_ survey: RoomSurvey, at site: String, from begin: Int64, by actor: String) throws

  /// Deletes the survey of a room, or those of all rooms. Returns the rooms.
  func forget(_ room: String?, at site: String, by actor: String) throws -> [String]

  /// Returns the rooms of a site that have a survey.
  func rooms(of site: String) throws -> [SurveyedRoom]

  /// Returns the survey of a room; nil if there is none.
  ///
  /// Throws `RoomStateError` if its octets are damaged or of another version.
  func survey(of room: String, at site: String) throws -> RoomSurvey?
}

/// An error of the database or of the link to it.
public protocol SurveyStoreError: Error {
  /// Whether the same call may succeed later, on a new link.
  var isTemporary: Bool { get }
}

/// The terminal of an installer.
public protocol SurveyTerminal {
  /// Prints a line at once.
  func show(_ line: String)

  /// Prints a question, and returns the answer; nil at the end of the input.
  func ask(_ question: String) -> String?
}

/// The clock of the machine on which the installer surveys.
public protocol SurveyClock {
  /// The time since the start of the machine, including sleep.
  var uptime: Span { get }

  /// Waits for this time.
  func pause(_ time: Span)
}
