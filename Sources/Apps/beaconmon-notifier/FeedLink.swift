import DBus
import DeliveryScheduling
import Events
import MonitorClient
import Notification
import Records
import Status

/// The daemon on the bus, as notification sees it.
final class FeedLink: MonitorLink {
  private static let purpose = "Wakes the apps that have registered regions"

  private let client: MonitorClient

  init(_ client: MonitorClient) {
    self.client = client
  }

  func watchPresence(_ body: @escaping (Bool) -> Void) -> AnyObject { client.watchPresence(body) }

  func follow(_ feed: EventFeed, from places: EventPlaces, _ body: @escaping (FeedStep) -> Void) -> AnyObject {
    let follower =
      switch feed {
      case .config: client.followEvents(from: places) { body(.events($0)) }
      case .registered: client.followRegistered(from: places, purpose: Self.purpose) { body(.events($0)) }
      }
    follower.onCaughtUp = { [unowned follower] in body(.caughtUp(follower.places)) }
    follower.onConsentChange = { body(.consent(isGiven: $0)) }
    follower.onTrouble = { body(.trouble("\($0)")) }
    return follower
  }

  func requestStates(_ completion: @escaping (Result<[RegionStateReport], MonitorFailure>) -> Void) {
    client.status { answer in
      completion(
        answer.map { (MonitorStatus($0).regions ?? []).compactMap { RegionStateReport($0) } }.mapError { MonitorFailure($0.message) })
    }
  }
}

// MARK: Last events

extension FeedLink {
  func requestLastEvents(of regions: Set<String>, _ completion: @escaping (Result<[Event], MonitorFailure>) -> Void) {
    client.journal.search {
      LastEventSearch(of: regions, to: $0.lastSequence, pageSize: RemoteJournal.pageSize)
    } _: { answer in
      completion(answer.map(\.found).mapError { MonitorFailure($0.message) })
    }
  }
}

extension RegionStateReport {
  /// Creates a report; nil if identifier or state are unknown.
  fileprivate init?(_ status: RegionStatus) {
    guard let region = status.identifier, let state = status.report.state else { return nil }
    self.init(region: region, state: state, beacon: status.report.beacon)
  }
}
