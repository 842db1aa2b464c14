import DBus
import Instants
import MonitorProtocol
import Records
import Venues

extension MonitorClient {
  /// Forgets the learned offsets of receivers, and completes with their number.
  ///
  /// - Parameters:
  ///   - venue: the id of the venue; nil for all.
  ///   - adapter: the address of the adapter; nil for all.
  public func resetLearning(venue: String?, adapter: String?, _ completion: @escaping (Result<Int, DBusError>) -> Void) {
    decide("ResetLearning", venue: venue, adapter: adapter, completion)
  }

  /// Refuses the suggested offsets of receivers, and completes with the number of offsets.
  ///
  /// - Parameters:
  ///   - venue: the id of the venue; nil for all.
  ///   - adapter: the address of the adapter; nil for all.
  public func refuseSuggestions(venue: String?, adapter: String?, _ completion: @escaping (Result<Int, DBusError>) -> Void) {
    decide("RefuseSuggestions", venue: venue, adapter: adapter, completion)
  }

  private func decide(
    _ member: String, venue: String?, adapter: String?, _ completion: @escaping (Result<Int, DBusError>) -> Void
  ) {
    let options = [("venue", venue), ("adapter", adapter)].compactMap { key, value in value.map { (key, DBusValue.string($0)) } }
    callVenue(member, [.options(options)]) { completion($0.map { $0.first?.integer() ?? 0 }) }
  }

  fileprivate func callVenue(
    _ method: String, _ arguments: [DBusValue], _ completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.venue, member: method, arguments,
      // polkit may have to ask an administrator.
      timeout: .seconds(300), completion: completion)
  }
}

extension MonitorClient {
  /// Calls `handler` when the venues in use have changed, while the returned subscription is held.
  public func watchVenues(_ handler: @escaping () -> Void) -> SignalSubscription {
    let rule = MatchRule(sender: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.venue, member: "VenuesChanged")
    return connection.addMatch(rule) { _ in handler() }
  }
}

// MARK: Venue files

extension MonitorClient {
  /// A text of a venue file, with the revision by which a change of it is recognised.
  public struct VenueText {
    public let text: String
    public let revision: String
  }

  /// A venue that the daemon has stored.
  public struct SavedVenue {
    public let venue: String
    public let revision: String
    /// The parts that may be wrong, each with its line.
    public let warnings: [String]
  }

  /// Requests the files of the venues; see the method `Files` in Docs/dbus.
  public func venueFiles(_ completion: @escaping (Result<[VenueFile], DBusError>) -> Void) {
    callVenue("Files", [.options([])]) { answer in
      completion(answer.map { ($0.first?.elements ?? []).compactMap { Record($0).map { VenueFile($0) } } })
    }
  }

  /// Requests the versions of a venue, the newest first; see the method `History` in Docs/dbus.
  public func venueHistory(_ venue: String, _ completion: @escaping (Result<[VenueVersion], DBusError>) -> Void) {
    callVenue("History", [.string(venue), .options([])]) { answer in
      completion(answer.map { ($0.first?.elements ?? []).compactMap { Record($0).map { VenueVersion($0) } } })
    }
  }

  /// Requests the text of a venue.
  ///
  /// - Parameter revision: an earlier one; nil for the present text.
  public func venueText(_ venue: String, revision: String?, _ completion: @escaping (Result<VenueText, DBusError>) -> Void) {
    let options = revision.map { [("revision", DBusValue.string($0))] } ?? []
    callVenue("Text", [.string(venue), .options(options)]) { answer in
      completion(answer.map { VenueText(text: $0.first?.string ?? "", revision: $0.last?.string ?? "") })
    }
  }

  /// Requests the warnings about a text without storing it; see the method `Check` in Docs/dbus.
  public func checkVenue(_ text: String, _ completion: @escaping (Result<[String], DBusError>) -> Void) {
    callVenue("Check", [.string(text), .options([])]) { completion($0.map { $0.last?.elements?.compactMap(\.string) ?? [] }) }
  }

  /// Stores the text of a venue.
  ///
  /// - Parameter revision: that of the text which was changed; empty for a new venue.
  public func saveVenue(_ text: String, replacing revision: String, _ completion: @escaping (Result<SavedVenue, DBusError>) -> Void) {
    callVenue("Save", [.string(text), .string(revision), .options([])]) { answer in
      completion(
        answer.map { values in
          SavedVenue(
            venue: values.first?.string ?? "", revision: values.dropFirst().first?.string ?? "",
            warnings: values.last?.elements?.compactMap(\.string) ?? [])
        })
    }
  }

  /// Removes a stored venue with a known revision. Its history stays.
  public func removeVenue(_ venue: String, revision: String, _ completion: @escaping (Result<Void, DBusError>) -> Void) {
    callVenue("Remove", [.string(venue), .string(revision), .options([])]) { completion($0.map { _ in }) }
  }
}
