import Locations
import Logging
import Scheduling
public import Venues
import Wayfinding

extension GuidanceService {
  /// Follows changed venues: guides continue to the same ids, on other routes if theirs have changed.
  public func replaceCatalogue(with new: Catalogue) {
    guard venues.replaceCatalogue(with: new) else { return }
    for client in guides.keys.sorted() {
      guard var guide = guides[client] else { continue }
      do throws(GuidanceRefusal) {
        let destination = try new.locate(guide.request.destination)
        guide.request.destination = new.identified(guide.request.destination, at: destination)
        let isSame = destination.venue.map { new.venues[$0] } == guide.network?.venue
        let network = try isSame ? nil : destination.venue.map { index throws(GuidanceRefusal) in try venues.checked(index, destination) }
        if !isSame, network == nil {
          guide = VisitorGuide(guide.request, to: destination, in: nil, timestamp: scheduler.wallClock)
        } else {
          guide.move(to: destination, in: network)
        }
        guides[client] = guide
        // A configured location is not delivered again.
        if !isSame, let location = locations.location { lead(client, from: location) }
      } catch {
        log.notice("the venues have changed: guidance ends, because \(error.message)")
        end(client, GuidanceEnd(.destinationGone, "the venue has changed: \(error.message)"))
      }
    }
    for index in queries.indices { queries[index].problem = nil }
    follow()
  }

  /// Ends all guidance, and all requests that wait for a position, if no source of locations is left.
  public func sourcesChanged() {
    do throws(GuidanceRefusal) {
      try requireSource()
    } catch {
      for client in guides.keys.sorted() { end(client, GuidanceEnd(.noLocationSource, error.message)) }
      let waiting = queries
      queries = []
      for query in waiting { query.completion(.failure(error)) }
      follow()
    }
  }
}
