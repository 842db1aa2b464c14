import Instants
import LocationArbitration
import Locations
import RouteReports
import Venues
import Wayfinding

/// The venues through which guidance leads, with their networks of ways. A network is made at its first use.
struct GuidedVenues {
  private(set) var catalogue: Catalogue
  /// The networks that are in use, by the index of their venue.
  private var networks: [Int: WayNetwork] = [:]

  init(_ catalogue: Catalogue) {
    self.catalogue = catalogue
  }

  var hasNetworks: Bool { !networks.isEmpty }

  mutating func dropNetworks() { networks = [:] }

  /// Replaces the venues, and keeps the networks of those that are equal; returns whether anything has changed.
  mutating func replaceCatalogue(with new: Catalogue) -> Bool {
    let old = catalogue
    guard new.venues != old.venues else { return false }
    catalogue = new
    networks = networks.reduce(into: [:]) { kept, entry in
      if let index = new.venues.firstIndex(of: old.venues[entry.key]) { kept[index] = entry.value }
    }
    return true
  }

  /// Finds a destination, with the network of its venue; nil for one outside of the venues.
  mutating func located(_ destination: GuidanceDestination) throws(GuidanceRefusal) -> (LocatedDestination, WayNetwork?) {
    let found = try catalogue.locate(destination)
    guard let index = found.venue else { return (found, nil) }
    let network = try checked(index, found)
    guard network.venue.frame != nil else {
      throw GuidanceRefusal(
        .noRoute, "the venue \"\(network.venue.id)\" has no [frame], so that positions are unknown; add its latitude, longitude and bearing"
      )
    }
    return (found, network)
  }

  /// Returns the network of a venue in which visitors can stand at the destination.
  mutating func checked(_ venue: Int, _ destination: LocatedDestination) throws(GuidanceRefusal) -> WayNetwork {
    let network = network(ofVenue: venue)
    guard case .point(let point) = destination.goal else { return network }
    do throws(RouteError) { try network.check(point) } catch { throw GuidanceRefusal(error) }
    return network
  }

  private mutating func network(ofVenue venue: Int) -> WayNetwork {
    let network = networks[venue] ?? WayNetwork(catalogue.venues[venue])
    networks[venue] = network
    return network
  }
}

// MARK: Routes

extension GuidedVenues {
  /// Returns the best route from a location to a destination in a venue.
  ///
  /// Nil if the location is not in the venue of the destination, or is less accurate than guidance needs.
  mutating func route(
    from location: Location, to destination: GuidanceDestination, profile: RouteProfile = .shortest
  ) throws(GuidanceRefusal) -> (route: Route, network: WayNetwork)? {
    let (found, network) = try located(destination)
    guard let accuracy = location.horizontalAccuracy ?? (location.end == .never ? 0 : nil), accuracy <= RouteGuide.mostInaccuracy,
      let network,
      case .inside(let place) = network.venue.visitorPlace(at: location.coordinate, floor: location.floor, accuracy: accuracy)
    else {
      if network == nil { throw GuidanceRefusal(.noRoute, "there is no route: the destination is outside of the venues") }
      return nil
    }
    return (try bestRoute(from: place, accuracy: accuracy, startPlace: nil, to: found, in: network, profile), network)
  }

  private func bestRoute(
    from place: VenuePoint, accuracy: Double?, startPlace: String?, to destination: LocatedDestination, in network: WayNetwork,
    _ profile: RouteProfile
  ) throws(GuidanceRefusal) -> Route {
    do throws(RouteError) {
      switch destination.goal {
      case .point(let point):
        return try network.route(from: place, accuracy: accuracy, startPlace: startPlace, to: point, profile: profile)
      case .level(place.level):
        return try network.route(from: place, accuracy: accuracy, to: Route.Destination(place), profile: profile)
      case .level(let level): return try network.route(from: place, accuracy: accuracy, toLevel: level, profile: profile)
      case .outside: throw .invalidPoint
      }
    } catch {
      throw GuidanceRefusal(error)
    }
  }

  /// Returns the route of a query from a stated start.
  mutating func route(from start: GuidanceDestination, _ query: RouteQuery) throws(GuidanceRefusal) -> RouteReport {
    let end = try catalogue.locate(query.destination)
    guard let index = end.venue else {
      throw GuidanceRefusal(.noRoute, "there is no route: the destination is outside of the venues")
    }
    var beginning = start
    beginning.venue = start.venue ?? catalogue.venues[index].id
    let found: LocatedDestination
    do throws(GuidanceRefusal) {
      found = try catalogue.locate(beginning)
    } catch {
      guard case .earth = start.goal, error.reason == .noRoute else { throw error }
      throw GuidanceRefusal(.noRoute, "the start is outside: the coordinate is on no level of \(catalogue.venues[index].id)")
    }
    guard case .point(let point) = found.goal, found.venue == index else {
      throw GuidanceRefusal(.invalidOptions, "the start must be a place or a point of the venue \"\(catalogue.venues[index].id)\"")
    }
    let network = try checked(index, end)
    let place = point.index.map { network.venue.places[$0].id }
    let route = try bestRoute(from: point.place, accuracy: nil, startPlace: place, to: end, in: network, query.profile)
    return route.report(in: network, languages: query.languages, isMetric: query.isMetric)
  }
}
