import Instants
import Venues

extension VenueBuilder {
  /// Reads relationships: edges between the nodes of features, and lifts.
  mutating func readRoutes() {
    var graph = RouteBuilder(self)
    // The program's own archives have an anchor for each node, including nodes without an edge.
    for anchor in content["anchor"] where anchor.additions?["node"] != nil { _ = graph.node(anchor, &self) }
    for relationship in content["relationship"] {
      switch relationship.mainCategory {
      case "elevator": graph.addLift(relationship, &self)
      case "traversal", "stairs", "escalator", "movingwalkway", "ramp": graph.addEdges(relationship, &self)
      default: notes.omit("the relationship of the category \(relationship.category.plain(most: 40))", relationship)
      }
    }
    graph.finish(&self)
  }
}

/// The route graph of an archive, whose relationships connect features instead of points.
private struct RouteBuilder {
  private var features: [String: IMDFFeature] = [:]
  /// The index of the node of a feature, by type and id.
  private var nodes: [String: Int] = [:]
  private let places: Set<String>
  private var used = IDPool()
  private var liftIDs = IDPool()
  /// Lifts, each with one stop on a level.
  private var lifts: [(lift: RouteLift, stops: [Int], levels: Set<String>)] = []
  /// The index of a stop's lift: relationships of pairs of levels describe one lift together.
  private var liftOfStop: [Int: Int] = [:]
  /// The maximum number of features between the origin and the destination of a relationship.
  private static let mostIntermediaries = 1000

  init(_ builder: VenueBuilder) {
    places = Set(builder.venue.places.map(\.id))
    let content = builder.content
    for type in ["anchor", "opening", "unit", "amenity", "occupant", "kiosk", "section"] {
      for feature in content[type] { features["\(type)/\(feature.id)"] = feature }
    }
  }

  // MARK: Nodes

  /// Returns the index of the node for a feature; nil with a note if the feature has no place on a level.
  mutating func node(_ feature: IMDFFeature, _ builder: inout VenueBuilder) -> Int? {
    let key = "\(feature.type)/\(feature.id)"
    if let known = nodes[key] { return known }
    // An occupant stands where its anchor is.
    let located = feature.type == "occupant" ? feature.reference("anchor_id").flatMap { builder.anchors[$0] } ?? feature : feature
    guard let level = builder.level(of: located), let point = builder.point(of: located) else { return nil }
    let additions = feature.additions?["node"]
    let id = builder.id(additions?["id"]?.text ?? feature.id, of: feature, &used)
    let place = additions == nil ? feature.id : additions?["place"]?.text
    nodes[key] = builder.venue.nodes.count
    builder.venue.nodes.append(
      RouteNode(
        id: id, level: builder.venue.levels[level].id, position: point,
        place: place.flatMap { places.contains($0) ? $0 : nil },
        isDoor: additions.map { $0["door"]?.flag == true } ?? (feature.type == "opening")))
    return nodes[key]
  }

  /// Returns the nodes from the origin to the destination of a relationship; nil with a note if there are fewer than two.
  private mutating func chain(_ relationship: IMDFFeature, _ builder: inout VenueBuilder) -> [Int]? {
    var references = [relationship["origin"]].compactMap { $0 }
    let between = relationship["intermediary"]?.list ?? [relationship["intermediary"]].compactMap { $0 }
    guard between.count <= Self.mostIntermediaries else {
      builder.notes.warn("more than \(Self.mostIntermediaries) intermediaries; the relationship is ignored", relationship)
      return nil
    }
    references += between
    references += [relationship["destination"]].compactMap { $0 }
    var chain: [Int] = []
    for reference in references {
      guard let id = reference["id"]?.identifier.map(IMDFFeature.normalized) else {
        builder.notes.warn("a reference without an id; it is ignored", relationship)
        continue
      }
      let stated = reference["feature_type"]?.text
      let types = stated.map { [$0] } ?? ["unit", "opening", "anchor", "amenity", "occupant", "kiosk", "section"]
      guard let feature = types.compactMap({ features["\($0)/\(id)"] }).first else {
        builder.notes.warn("a reference that leads to no feature with a place; it is ignored", relationship)
        continue
      }
      guard let node = node(feature, &builder), chain.last != node else { continue }
      chain.append(node)
    }
    guard chain.count >= 2 else {
      builder.notes.warn("fewer than two places to connect; the relationship is ignored", relationship)
      return nil
    }
    return chain
  }

  // MARK: Edges

  mutating func addEdges(_ relationship: IMDFFeature, _ builder: inout VenueBuilder) {
    guard let chain = chain(relationship, &builder) else { return }
    let kind: RouteEdge.Kind =
      switch relationship.mainCategory {
      case "stairs": .stairs
      case "escalator": .escalator
      case "movingwalkway": .movingWalkway
      case "ramp": .ramp
      default: .walk
      }
    let levels = chain.map { builder.venue.nodes[$0].level }
    let changesLevel = Set(levels).count > 1
    for index in chain.indices.dropLast() {
      // Only the part between levels is stairs; the ways to it are walked.
      let isWalk = changesLevel && levels[index] == levels[index + 1]
      var edge = edge(chain[index], chain[index + 1], isWalk ? .walk : kind, relationship, builder)
      if let additions = relationship.additions { edge.apply(additions) }
      builder.venue.edges.append(edge)
    }
  }

  private func edge(
    _ from: Int, _ to: Int, _ kind: RouteEdge.Kind, _ relationship: IMDFFeature, _ builder: VenueBuilder
  ) -> RouteEdge {
    RouteEdge(
      from: builder.venue.nodes[from].id, to: builder.venue.nodes[to].id, kind: kind,
      isTwoWay: relationship["direction"]?.text != "directed")
  }

  // MARK: Lifts

  mutating func addLift(_ relationship: IMDFFeature, _ builder: inout VenueBuilder) {
    guard let chain = chain(relationship, &builder) else { return }
    if relationship["direction"]?.text == "directed" {
      builder.notes.warn("a lift that moves in one direction, which is imported as one that moves in both", relationship)
    }
    let levels = chain.map { builder.venue.nodes[$0].level }
    var stops: [Int] = []
    for index in chain.indices.dropLast() {
      if levels[index] == levels[index + 1] {
        builder.venue.edges.append(edge(chain[index], chain[index + 1], .walk, relationship, builder))
      } else {
        for stop in chain[index...(index + 1)] where !stops.contains(stop) { stops.append(stop) }
      }
    }
    guard !stops.isEmpty else {
      return builder.notes.warn("a lift whose places are on one level, which is imported as a way", relationship)
    }
    var lift = RouteLift(id: relationship.additions?["id"]?.text ?? relationship.id, stops: [])
    if let additions = relationship.additions { lift.apply(additions) }
    let cars = (relationship["intermediary"]?.list ?? []) + [relationship["origin"], relationship["destination"]].compactMap { $0 }
    let isAccessible = cars.contains { car in
      let feature = car["id"]?.identifier.flatMap { features["unit/\(IMDFFeature.normalized($0))"] }
      return feature?.mainCategory == "elevator" && feature?["accessibility"]?.list?.contains(.text("wheelchair")) == true
    }
    if isAccessible { lift.wheelchair = .yes }
    // Stops that several relationships share belong to one lift.
    let known = relationship.additions == nil ? stops.compactMap { liftOfStop[$0] }.first : nil
    let index = known ?? lifts.count
    if known == nil {
      lift.id = builder.id(lift.id, of: relationship, &liftIDs)
      lifts.append((lift, [], []))
    }
    if isAccessible { lifts[index].lift.wheelchair = .yes }
    for stop in stops where liftOfStop[stop] != index {
      if lifts[index].levels.insert(builder.venue.nodes[stop].level).inserted {
        lifts[index].stops.append(stop)
        liftOfStop[stop] = index
      } else {
        builder.notes.warn("a lift with two stops on one level; the first one counts", relationship)
      }
    }
  }

  /// Adds the lifts to the venue.
  func finish(_ builder: inout VenueBuilder) {
    for entry in lifts where entry.stops.count >= 2 {
      var lift = entry.lift
      lift.stops = entry.stops.map { builder.venue.nodes[$0].id }
      builder.venue.lifts.append(lift)
    }
  }
}

// MARK: - Extension

extension RouteEdge {
  /// Takes the values that the standard cannot contain.
  fileprivate mutating func apply(_ additions: [String: JSONValue]) {
    if let text = additions["kind"]?.text, let kind = Kind(rawValue: text) { self.kind = kind }
    wheelchair = additions["wheelchair"]?.text.flatMap(WheelchairAccess.init) ?? .unknown
    length = additions["length"]?.number
    time = additions["time"]?.number.map { Span.seconds($0) }
    steps = additions["steps"]?.number.flatMap { Int(exactly: $0) }
    slope = additions["slope"]?.number
    width = additions["width"]?.number
    isClosed = additions["closed"]?.flag == true
  }
}

extension RouteLift {
  fileprivate mutating func apply(_ additions: [String: JSONValue]) {
    if let seconds = additions["board"]?.number { boardTime = .seconds(seconds) }
    if let seconds = additions["each_level"]?.number { levelTime = .seconds(seconds) }
    wheelchair = additions["wheelchair"]?.text.flatMap(WheelchairAccess.init) ?? .unknown
    isClosed = additions["closed"]?.flag == true
  }
}
