import Instants
public import Logging
public import Scheduling
public import Venues

/// Changes venues for clients: each change is checked, is stored with the texts before it, and is then in use.
///
/// A client names the revision that it has changed. If the venue has another one by now, the change is refused, so that no change of
/// another person is lost.
public final class VenueEditor {
  /// The maximum number of stored venues.
  public static let mostVenues = 64

  private let scheduler: any Scheduler
  private let store: any VenueStore
  private unowned let configuration: any VenueConfiguration
  private let log: Logger

  public init(_ scheduler: any Scheduler, _ store: any VenueStore, _ configuration: any VenueConfiguration, log: Logger) {
    (self.scheduler, self.store, self.configuration, self.log) = (scheduler, store, configuration, log)
  }

  /// The files of all venues.
  public var files: [VenueFile] { configuration.venueFiles }

  /// Returns the text of a venue and its revision.
  ///
  /// - Parameter revision: an earlier one; nil for the present text.
  public func text(of venue: String, revision: String? = nil) throws(VenueEditFailure) -> (text: String, revision: String) {
    if let revision {
      if let text = try store.text(of: venue, revision: revision) { return (text, revision) }
      guard let present = try presentText(of: venue), store.revision(of: present) == revision else {
        throw .noSuchRevision(revision, of: venue)
      }
      return (present, revision)
    }
    guard let text = try presentText(of: venue) else { throw noSuchVenue(venue) }
    return (text, store.revision(of: text))
  }

  private func noSuchVenue(_ venue: String) -> VenueEditFailure { .noSuchVenue(venue, known: files.compactMap(\.venue)) }

  private func presentText(of venue: String) throws(VenueEditFailure) -> String? {
    if let text = try configuration.configuredText(of: venue) { return text }
    return try store.text(of: venue)
  }

  /// Returns the stored versions of a venue, the newest first, even after its removal.
  public func history(of venue: String) throws(VenueEditFailure) -> [VenueVersion] {
    let versions = store.versions(of: venue)
    guard versions.isEmpty, !files.contains(where: { $0.venue == venue }) else { return versions }
    throw noSuchVenue(venue)
  }

  /// Checks a text beside the other venues, and changes nothing.
  public func check(_ text: String) throws(VenueEditFailure) -> VenueReview { try configuration.review(text) }

  /// Stores a venue and applies it. A text that is stored already changes nothing.
  ///
  /// - Parameters:
  ///   - revision: that of the text which the client has changed; empty for a new venue.
  ///   - user: the number of the user who saves.
  /// - Returns: the id of the venue, its new revision, and warnings.
  public func save(
    _ text: String, replacing revision: String, user: UInt32
  ) throws(VenueEditFailure) -> (review: VenueReview, revision: String) {
    let review = try configuration.review(text)
    let venue = review.venue
    let present = try checked(venue, revision)
    let new = store.revision(of: text)
    guard text != present else { return (review, new) }
    guard present != nil || store.venues.count < Self.mostVenues else {
      throw .unusable("\(Self.mostVenues) venues are stored, the most that are possible; remove one of them")
    }
    if let present { try keepFound(present, of: venue) }
    try store.replace(venue, with: text)
    do throws(VenueEditFailure) {
      try store.keep(text, of: venue, as: VenueVersion(new, time: scheduler.wallClock, size: text.utf8.count, user: user))
    } catch {
      // It is kept with the next change, as a text that was found.
      log.warning("venue \"\(venue)\": the history lacks revision \(new): \(error)")
    }
    log.notice("venue \"\(venue)\": user \(user) saved revision \(new) to \(store.path(of: venue))")
    configuration.adoptStoredVenues()
    return (review, new)
  }

  /// Removes a stored venue. Its history stays.
  ///
  /// - Parameter revision: that of the text which the client knows.
  public func remove(_ venue: String, revision: String, user: UInt32) throws(VenueEditFailure) {
    guard let present = try checked(venue, revision) else { throw noSuchVenue(venue) }
    try keepFound(present, of: venue)
    try store.remove(venue)
    log.notice("venue \"\(venue)\": user \(user) removed \(store.path(of: venue))")
    configuration.adoptStoredVenues()
  }

  /// Returns the present text if it may be replaced and has the revision.
  private func checked(_ venue: String, _ revision: String) throws(VenueEditFailure) -> String? {
    if let file = files.first(where: { $0.venue == venue && $0.editable != true }) {
      throw .notEditable(venue, path: file.file ?? "")
    }
    let present = try store.text(of: venue)
    let actual = present.map(store.revision)
    guard revision != actual ?? "" else { return present }
    let known = try store.text(of: venue, revision: revision) ?? ""
    throw .stale(venue, present: actual, difference: present.map { LineDifference(from: known, to: $0).text } ?? "")
  }

  /// Keeps a text that an administrator has put into the folder by hand.
  private func keepFound(_ text: String, of venue: String) throws(VenueEditFailure) {
    let revision = store.revision(of: text)
    guard store.versions(of: venue).first?.revision != revision else { return }
    try store.keep(text, of: venue, as: VenueVersion(revision, time: scheduler.wallClock, size: text.utf8.count, user: nil))
  }
}
