import ClientCommands
import DBus
import Failures
import MonitorClient
import Records
import Status

/// The shares in beaconmon-notifier, as guidance to a person sees them.
final class SharedPositions: ShareLink {
  private let sharing: RemoteSharing

  init(_ sharing: RemoteSharing) { self.sharing = sharing }

  func watch(_ handler: @escaping (_ isThere: Bool) -> Void) -> AnyObject { sharing.watch(handler) }

  func request(named name: String, id: String?, _ completion: @escaping (Result<ShareAnswer, Failure>) -> Void) {
    sharing.hub { [sharing] hub in
      sharing.friends { friends in
        do throws(Failure) { completion(.success(try Self.answer(hub, friends, named: name, id: id))) } catch {
          completion(.failure(error))
        }
      }
    }
  }

  private static func answer(
    _ hub: Result<Record, DBusError>, _ friends: Result<[Record], DBusError>, named name: String, id: String?
  ) throws(Failure) -> ShareAnswer {
    // A notifier before this method has no answer; only its list counts then.
    let hub = (try? hub.get()).map { HubStatus($0) }
    let all: [FriendReport]
    switch friends {
    case .success(let records): all = records.compactMap { FriendReport($0) }
    case .failure(let error): throw Failure(sharing: error)
    }
    var answer = ShareAnswer(nil, isComplete: hub?.hasListedShares == true, trouble: hub?.trouble)
    if let id {
      answer.share = all.first { $0.id == id }.map(FollowedShare.init)
    } else if hub?.hasListedShares != false {
      answer.share = FollowedShare(try SharingLink.friend(named: name, among: all))
    }
    return answer
  }
}

extension FollowedShare {
  fileprivate init(_ friend: FriendReport) {
    let place: Place? =
      if let coordinate = friend.coordinate {
        .earth(latitude: coordinate.latitude, longitude: coordinate.longitude, level: friend.level)
      } else {
        friend.room.map { .room($0) }
      }
    self.init(id: friend.id, isAccepted: friend.isAccepted, place: place)
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
