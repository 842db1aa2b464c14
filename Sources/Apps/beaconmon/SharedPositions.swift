import ClientCommands
import DBus
import Failures
import MonitorClient
import Records
import ShareReports
import Status

/// The shares in beaconmon-notifier, as guidance to a person sees them.
final class SharedPositions: ShareLink {
  private let sharing: RemoteSharing

  init(_ sharing: RemoteSharing) { self.sharing = sharing }

  func watch(_ handler: @escaping (_ isThere: Bool) -> Void) -> AnyObject { sharing.watch(handler) }

  func request(named name: String, id: String?, _ completion: @escaping (Result<ShareAnswer, Failure>) -> Void) {
    sharing.hub { [sharing] hub in
      sharing.friends { friends in
        do throws(Failure) {
          let reports = try Self.reports(friends)
          // A notifier before this method has no answer.
          let status = (try? hub.get()).map { HubStatus($0) }
          completion(.success(try ShareAnswer(named: name, id: id, among: reports, hub: status)))
        } catch {
          completion(.failure(error))
        }
      }
    }
  }

  private static func reports(_ friends: Result<[Record], DBusError>) throws(Failure) -> [FriendReport] {
    switch friends {
    case .success(let records): return records.compactMap { FriendReport($0) }
    case .failure(let error): throw Failure(sharing: error)
    }
  }
}

extension FriendReport: OfferedShare {
  public var followed: FollowedShare {
    let place: FollowedShare.Place? =
      if let coordinate {
        .earth(latitude: coordinate.latitude, longitude: coordinate.longitude, level: level)
      } else {
        room.map { .room($0) }
      }
    return FollowedShare(id: id, isAccepted: isAccepted, place: place)
  }
}

extension GuidanceOptions.Place {
  /// Converts the place of a person.
  init(_ place: FollowedShare.Place) {
    switch place {
    case .earth(let latitude, let longitude, let level): self = .earth(latitude: latitude, longitude: longitude, level: level)
    case .room(let name): self = .place(name)
    }
  }
}
