public import Venues

/// The files of the venues that clients edit, and of their earlier texts.
public protocol VenueStore: AnyObject {
  /// The ids of the stored venues, sorted.
  var venues: [String] { get }

  func path(of venue: String) -> String

  /// Returns the present text; nil if the venue is not stored.
  func text(of venue: String) throws(VenueEditFailure) -> String?

  /// Returns a short text that is the same for the same text.
  func revision(of text: String) -> String

  /// Replaces the present text durably and at once: after a crash the file has the old text or the new one.
  func replace(_ venue: String, with text: String) throws(VenueEditFailure)

  /// Removes the present text, but not the earlier ones.
  func remove(_ venue: String) throws(VenueEditFailure)

  /// Keeps a text beside the earlier ones. The oldest ones go when there are too many.
  func keep(_ text: String, of venue: String, as version: VenueVersion) throws(VenueEditFailure)

  /// Returns the kept versions, the newest first.
  func versions(of venue: String) -> [VenueVersion]

  /// Returns the text of a kept version; nil if there is none with this revision.
  func text(of venue: String, revision: String) throws(VenueEditFailure) -> String?
}

/// The configuration that venues become a part of.
public protocol VenueConfiguration: AnyObject {
  /// The files of the configuration, and then the stored ones.
  var venueFiles: [VenueFile] { get }

  /// Returns the text of a file of the configuration; nil if none has the venue.
  func configuredText(of venue: String) throws(VenueEditFailure) -> String?

  /// Checks a text as a stored venue beside all others. Throws `.invalid` with each problem.
  func review(_ text: String) throws(VenueEditFailure) -> VenueReview

  /// Applies the stored venues as they are now.
  func adoptStoredVenues()
}

/// A valid venue.
public struct VenueReview: Hashable, Sendable {
  /// The id in the text.
  public var venue: String
  /// The parts that may be wrong, each with its line.
  public var warnings: [String]

  public init(_ venue: String, warnings: [String] = []) {
    (self.venue, self.warnings) = (venue, warnings)
  }
}

/// The reason why a venue is not read or changed.
public enum VenueEditFailure: Error, Hashable {
  /// The problems of the text, each with its line.
  case invalid([String])
  case noSuchVenue(String, known: [String])
  case noSuchRevision(String, of: String)
  /// The venue is in a file of the configuration.
  case notEditable(String, path: String)
  /// The venue has another text than the client knows.
  case stale(String, present: String?, difference: String)
  /// The disk refuses, with its reason.
  case unusable(String)
}

extension VenueEditFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalid(let problems): problems.joined(separator: "\n")
    case .noSuchVenue(let venue, let known):
      "there is no venue \"\(venue)\"; " + (known.isEmpty ? "this device has none" : "the venues are \(known.joined(separator: ", "))")
    case .noSuchRevision(let revision, let venue):
      "venue \"\(venue)\" has no revision \"\(revision)\"; its history lists the revisions"
    case .notEditable(let venue, let path):
      "venue \"\(venue)\" is in \(path), a file of the configuration; edit that file, or save the venue with another id"
    case .stale(let venue, let present?, let difference):
      "venue \"\(venue)\" was changed meanwhile, and has the revision \(present) now; apply your change to it. The other change:\n\(difference)"
    case .stale(let venue, nil, _):
      "venue \"\(venue)\" is not stored, or was removed meanwhile; save it without a revision to store it"
    case .unusable(let reason): reason
    }
  }
}
