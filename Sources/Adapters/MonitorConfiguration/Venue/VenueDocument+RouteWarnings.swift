import Venues

// Warnings about the ways of a venue.

extension VenueDocument {
  /// Warnings about steps and gates that a straight line over the open floor avoids.
  var openBarriers: [ConfigurationProblem] {
    limited(
      venue.openBarriers.map { index in
        let edge = venue.edges[index]
        return warning(
          lines.edges[index],
          "edge from \(edge.from.quoted) to \(edge.to.quoted): kind: walkable floor leads around \(Self.name(of: edge.kind)), and a route may take it; "
            + "unless visitors can walk there, leave it out of the walkable areas or add walls")
      }, "steps and gates on open floor")
  }

  private static func name(of kind: RouteEdge.Kind) -> String {
    switch kind {
    case .stairs: "these steps"
    case .gate: "this gate"
    case .escalator: "this escalator"
    case .walk, .ramp, .movingWalkway: "this way"
    }
  }
}
