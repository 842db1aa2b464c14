import Beacons
import Instants
import Venues

extension IMDFWriter {
  /// Writes nodes as anchors, and edges and lifts as relationships between them.
  mutating func writeRoutes() {
    var anchors: [String: String] = [:]
    for node in venue.nodes where levels[node.level] != nil {
      let id = id("node", node.id)
      anchors[node.id] = id
      var values: [String: JSONValue] = ["id": .text(node.id)]
      values["place"] = node.place.map { .text($0) }
      if node.isDoor { values["door"] = .flag(true) }
      add(
        "anchor", id: id, position(node.position),
        ["address_id": .null, "unit_id": unit(at: node.position, onLevel: node.level).map { .text($0) } ?? .null],
        ["node": .object(values)])
    }
    for (index, edge) in venue.edges.enumerated() {
      guard let from = anchors[edge.from], let to = anchors[edge.to] else { continue }
      writeRelationship(
        id("edge", "\(index)/\(edge.from)/\(edge.to)"), edge.kind.relationshipCategory, [from, to], isTwoWay: edge.isTwoWay,
        additions(of: edge))
    }
    for lift in venue.lifts {
      var values: [String: JSONValue] = [
        "id": .text(lift.id), "board": .number(lift.boardTime.seconds), "each_level": .number(lift.levelTime.seconds),
      ]
      if lift.wheelchair != .unknown { values["wheelchair"] = .text(lift.wheelchair.rawValue) }
      if lift.isClosed { values["closed"] = .flag(true) }
      writeRelationship(id("lift", lift.id), "elevator", lift.stops.compactMap { anchors[$0] }, isTwoWay: true, values)
    }
  }

  private mutating func writeRelationship(
    _ id: String, _ category: String, _ anchors: [String], isTwoWay: Bool, _ additions: [String: JSONValue]
  ) {
    let references = anchors.map { JSONValue.object(["id": .text($0), "feature_type": .text("anchor")]) }
    guard let origin = references.first, let destination = references.last, references.count > 1 else { return }
    let between = references.dropFirst().dropLast()
    add(
      "relationship", id: id, .null,
      [
        "category": .text(category), "direction": .text(isTwoWay ? "undirected" : "directed"), "origin": origin,
        "intermediary": between.isEmpty ? .null : .list(Array(between)), "destination": destination, "hours": .null,
      ], additions)
  }

  private func additions(of edge: RouteEdge) -> [String: JSONValue] {
    var values: [String: JSONValue] = ["kind": .text(edge.kind.rawValue)]
    if edge.wheelchair != .unknown { values["wheelchair"] = .text(edge.wheelchair.rawValue) }
    values["length"] = edge.length.map { .number($0) }
    values["time"] = edge.time.map { .number($0.seconds) }
    values["steps"] = edge.steps.map { .number(Double($0)) }
    values["slope"] = edge.slope.map { .number($0) }
    values["width"] = edge.width.map { .number($0) }
    if edge.isClosed { values["closed"] = .flag(true) }
    return values
  }

  // MARK: Beacons and walls

  mutating func writeBeaconsAndWalls() {
    for beacon in venue.beacons {
      guard let level = levels[beacon.level] else { continue }
      var properties = beacon.identity.value.object ?? [:]
      properties["level_id"] = .text(level)
      properties["height"] = beacon.height.map { .number($0) } ?? .null
      properties["power"] = beacon.power.map { .number($0) } ?? .null
      properties["name"] = beacon.name.map { .text($0) } ?? .null
      add(IMDFFormat.beacon, id: id("beacon", "\(beacon.identity)"), position(beacon.position), properties)
    }
    for (index, wall) in venue.walls.enumerated() {
      guard let level = levels[wall.level] else { continue }
      add(
        "detail", id: id("wall", "\(index)"), frame.line([wall.from, wall.to]), ["level_id": .text(level)],
        ["attenuation": .number(wall.attenuation)])
    }
  }
}

extension RouteEdge.Kind {
  fileprivate var relationshipCategory: String {
    switch self {
    case .walk, .gate: "traversal"
    case .stairs: "stairs"
    case .ramp: "ramp"
    case .escalator: "escalator"
    case .movingWalkway: "movingwalkway"
    }
  }
}
