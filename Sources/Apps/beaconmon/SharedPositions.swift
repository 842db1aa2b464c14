import ClientCommands
import Failures
import MonitorClient
import Records
import ShareReports
import Status

/// The shares with this device, in beaconmon-notifier.
final class SharedPositions: ShareLink, FriendSource {
  private let sharing: RemoteSharing

  init(_ sharing: RemoteSharing) { self.sharing = sharing }

  func watch(_ handler: @escaping (_ isThere: Bool) -> Void) -> AnyObject { sharing.watch(handler) }

  func request(named name: String, id: String?, _ completion: @escaping (Result<ShareAnswer, Failure>) -> Void) {
    sharing.hub { [self] hub in
      requestFriends { friends in
        do throws(Failure) {
          // A notifier before this method has no answer.
          let status = (try? hub.get()).map { HubStatus($0) }
          completion(.success(try ShareAnswer(named: name, id: id, among: friends.get(), hub: status)))
        } catch {
          completion(.failure(error))
        }
      }
    }
  }

  func requestFriends(_ completion: @escaping (Result<[FriendReport], Failure>) -> Void) {
    sharing.friends { answer in
      completion(answer.map { $0.compactMap { FriendReport($0) } }.mapError { Failure(sharing: $0) })
    }
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
