import DBus
import DeliveryScheduling
import Events
import MonitorClient
import Notification
import Records
import Status

/// The daemon on the bus, as notification sees it.
final class DaemonLink: MonitorLink {
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

extension DaemonLink {
  /// The number of pages of the journal that are searched for the last events of regions.
  private static let mostPages = 4

  func requestLastEvents(of regions: Set<String>, _ completion: @escaping (Result<[Event], MonitorFailure>) -> Void) {
    client.journal.names { [weak self] answer in
      switch answer {
      case .success(let names) where names.lastSequence > 0:
        self?.search(names.current, before: names.lastSequence + 1, for: regions, pages: Self.mostPages, found: [], completion)
      case .success: completion(.success([]))
      case .failure(let error): completion(.failure(MonitorFailure(error.message)))
      }
    }
  }

  /// Searches the journal backwards for the last event of each region.
  private func search(
    _ journal: String, before end: UInt64, for regions: Set<String>, pages: Int, found: [Event],
    _ completion: @escaping (Result<[Event], MonitorFailure>) -> Void
  ) {
    let size = UInt64(RemoteJournal.pageSize)
    let start = end > size + 1 ? end - size - 1 : 0
    client.journal.events(after: EventPlace(journal: journal, sequence: start), limit: Int(end - start - 1)) { [weak self] answer in
      let events: [Event]
      switch answer {
      case .success(let page?): events = page
      case .success(nil): return completion(.success(found))
      case .failure(let error): return completion(.failure(MonitorFailure(error.message)))
      }
      var (found, missing) = (found, regions)
      for event in events.reversed() {
        guard let region = event.region, missing.remove(region) != nil else { continue }
        found.append(event)
      }
      guard let self, !missing.isEmpty, start > 0, pages > 1 else { return completion(.success(found)) }
      search(journal, before: start + 1, for: missing, pages: pages - 1, found: found, completion)
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
