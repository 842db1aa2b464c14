internal import DBus
internal import MonitorClient
internal import MonitorProtocol
internal import Records
internal import ShareReports
import FoundationEssentials

/// The shares of this device's position, and those that others share with it, through the hub of a fleet.
///
/// A share has an owner, recipients, a purpose and an end. The owner offers it, each recipient accepts it, and either side ends it at any
/// time. The service answers root and its own group alone. Each call asks the service over a connection of its own.
public struct PositionSharing: Sendable {
  /// The D-Bus of the service.
  public let bus: Bus

  public init(bus: Bus = .automatic) {
    self.bus = bus
  }

  /// Offers the position of this device, and returns the id of the share.
  ///
  /// - Parameters:
  ///   - recipients: 1 to 8 people of the hub by their names, `role:operator`, or `device:hall`.
  ///   - purpose: one line, which the recipients read.
  ///   - duration: 1 minute to 24 hours.
  public func offer(to recipients: [String], purpose: String, for duration: Duration) async throws(SharingError) -> String {
    let seconds = UInt32(clamping: duration.components.seconds)
    return try await ask { $0.offer(to: recipients, purpose: purpose, seconds: seconds, $1) }
  }

  /// Ends a share. No position is sent after this call, whether the hub can be reached or not.
  public func stop(_ id: String) async throws(SharingError) { try await ask { $0.stop(id, $1) } }

  /// Accepts an offer to this device.
  public func accept(_ id: Friend.ID) async throws(SharingError) { try await ask { $0.accept(id, $1) } }

  /// Declines an offer to this device, or leaves an accepted share.
  public func decline(_ id: Friend.ID) async throws(SharingError) { try await ask { $0.decline(id, $1) } }

  /// Returns the shares that were offered to this device, with the positions of accepted ones.
  public func friends() async throws(SharingError) -> [Friend] {
    try await ask { $0.friends($1) }.compactMap { FriendReport($0) }.map { Friend($0) }
  }

  private func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (RemoteSharing, @escaping (Result<Answer, DBusError>) -> Void) -> Void
  ) async throws(SharingError) -> Answer {
    do throws(DBusError) {
      return try await ServiceQuery.ask(bus) { client, completion in question(client.sharing, completion) }
    } catch {
      throw SharingError(error)
    }
  }
}

/// A share that was offered to this device.
public struct Friend: Hashable, Sendable, Identifiable {
  public let id: String
  /// The owner: the name of a person, or `device:` and the name of a device.
  public let owner: String
  /// The tag of a person; nil for the position of a device.
  public let tag: String?
  public let purpose: String
  /// Whether the share was accepted on this device.
  public let isAccepted: Bool
  public let ends: Date?
  /// The time of the position; nil before the first.
  public let timestamp: Date?
  /// Nil while it is unknown, and for a tag.
  public let coordinate: LocationCoordinate2D?
  /// The id of the level.
  public let level: String?
  /// The id of the venue.
  public let venue: String?
  /// The room of a tag, or of a device that hangs there.
  public let room: String?
  /// The place in one line.
  public let description: String?

  init(_ report: FriendReport) {
    (id, owner, tag, purpose, isAccepted) = (report.id, report.owner, report.tag, report.purpose, report.isAccepted)
    (ends, timestamp) = (report.ends.map(Date.init), report.time.map(Date.init))
    coordinate = report.coordinate.map { LocationCoordinate2D(latitude: $0.latitude, longitude: $0.longitude) }
    (level, venue, room, description) = (report.level, report.venue, report.room, report.description)
  }
}

/// A reason why the service refuses a request about shares, with its remedy.
public struct SharingError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Hashable, Sendable {
    /// A recipient, the purpose or the time is wrong.
    case invalidShare
    case tooManyShares
    case noSuchShare
    /// The device has no hub.
    case noHub
    /// The consent cannot be stored.
    case notStored
    /// The user of this program may not share the position of the device.
    case denied
    /// The service is unavailable.
    case network
  }

  public let code: Code
  /// The human-readable reason and remedy.
  public let message: String

  public var description: String { message }
}

extension SharingError {
  init(_ error: DBusError) {
    message = error.message
    code =
      switch error.sharingError {
      case .invalidShare: .invalidShare
      case .tooManyShares: .tooManyShares
      case .noSuchShare: .noSuchShare
      case .noHub: .noHub
      case .notStored: .notStored
      case nil:
        error.isStandard("InvalidArgs")
          ? .invalidShare : ["AccessDenied", "UnknownObject"].contains(where: error.isStandard) ? .denied : .network
      }
  }
}
