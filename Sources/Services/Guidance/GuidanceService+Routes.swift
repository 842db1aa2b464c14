public import Instants
import Locations
public import RouteReports
import Scheduling
import Wayfinding

extension GuidanceService {
  private static let mostQueries = 4

  /// Finds a route from a stated start, or from the present position as soon as it is known.
  ///
  /// - Parameters:
  ///   - client: the client, of which at most four queries wait; `cancelQueries` ends them.
  ///   - completion: called once, perhaps before this returns.
  public func route(
    _ query: RouteQuery, for client: Client, timeout: Span, completion: @escaping (Result<RouteReport, GuidanceRefusal>) -> Void
  ) {
    defer { keepNetworks() }
    do throws(GuidanceRefusal) {
      if let start = query.start { return completion(.success(try venues.route(from: start, query))) }
      _ = try venues.located(query.destination)
      try requireSource()
      guard queries.count(where: { $0.client == client }) < Self.mostQueries else {
        throw GuidanceRefusal(.limitsExceeded, "this session has \(Self.mostQueries) pending Route calls; wait for an answer")
      }
    } catch {
      return completion(.failure(error))
    }
    queries.append(PendingQuery(client: client, query: query, deadline: scheduler.now + timeout, completion: completion))
    if let location = locations.location { answer(from: location) }
    follow()
  }

  /// Ends the pending queries of a client, which are not completed any more.
  public func cancelQueries(of client: Client) {
    guard queries.contains(where: { $0.client == client }) else { return }
    queries.removeAll { $0.client == client }
    follow()
  }

  func answer(from location: Location) {
    let waiting = queries
    queries = []
    for var query in waiting {
      do throws(GuidanceRefusal) {
        guard let found = try venues.route(from: location, to: query.query.destination, profile: query.query.profile) else {
          query.problem = GuidanceRefusal(.locationUnknown, Self.obstacle(at: location))
          queries.append(query)
          continue
        }
        query.completion(.success(found.route.report(in: found.network, languages: query.query.languages, isMetric: query.query.isMetric)))
      } catch {
        query.completion(.failure(error))
      }
    }
  }

  /// Returns the reason why no route begins at a location, and what to do.
  private static func obstacle(at location: Location) -> String {
    let most = Int(RouteGuide.mostInaccuracy)
    if let accuracy = location.horizontalAccuracy, accuracy > RouteGuide.mostInaccuracy {
      let metres = Int(min(accuracy, 1e6).rounded())
      return "the position is accurate to \(metres) m only, and a route needs \(most) m; add a more accurate source"
    }
    return "this device is not in the venue of the destination, or its level is unknown; go there, or add a source with a floor"
  }
}
