import Venues

// The route of a search.

extension RouteSearch {
  func straight(to place: VenuePoint, _ metres: Double, point: Int? = nil) -> RoutePiece {
    RoutePiece(
      to: place, point: point, length: metres, seconds: metres / profile.speed, isAccessible: isAccessible(metres, level: place.level))
  }

  func piece(_ link: WayNetwork.Link, to place: VenuePoint, point: Int? = nil) -> RoutePiece {
    RoutePiece(
      to: place, point: point, link: link, length: link.length, seconds: profile.seconds(link), isAccessible: link.isAccessible)
  }

  func place(_ point: Int) -> VenuePoint { VenuePoint(network.points[point].position, level: network.points[point].level) }

  func pieces(to exit: Int, _ steps: [Step]) -> [RoutePiece] {
    let last = exits[exit]
    var reversed: [RoutePiece] = []
    if let rest = last.rest, let foot = last.foot {
      reversed.append(straight(to: end, last.straight))
      reversed.append(piece(rest, to: VenuePoint(foot, level: end.level), point: last.footPoint))
    } else if endIsStated {
      // The end is the node that leads to the place.
    } else {
      reversed.append(straight(to: end, last.straight))
    }
    var point = last.point
    while steps[point].from >= 0 {
      let from = Int(steps[point].from)
      reversed.append(piece(network.links[from][Int(steps[point].number)], to: place(point), point: point))
      point = from
    }
    let entry = entries[Int(steps[point].number)]
    if let rest = entry.rest, let foot = entry.foot {
      reversed.append(piece(rest, to: place(point), point: point))
      reversed.append(straight(to: VenuePoint(foot, level: start.level), entry.straight, point: entry.footPoint))
    } else {
      reversed.append(straight(to: place(point), entry.straight, point: point))
    }
    return reversed.reversed()
  }

  /// Returns the parts of a route that takes one link from a foot to another one.
  func pieces(along link: WayNetwork.Link, from a: WayNetwork.Foot, to b: WayNetwork.Foot) -> [RoutePiece] {
    [
      straight(to: VenuePoint(a.position, level: start.level), a.distance, point: network.point(at: a)),
      piece(link, to: VenuePoint(b.position, level: end.level), point: network.point(at: b)), straight(to: end, b.distance),
    ]
  }

  func joined(_ pieces: [RoutePiece]) -> Route? {
    destination.map { Route(from: startIsStated ? pieces.first?.to ?? start : start, pieces, to: $0, in: network) }
  }
}
