import Instants
import Venues

// The route graph, and appointments.

extension VenueReader {
  mutating func readNodes() -> [RouteNode] {
    var firstLines: [String: SourceLine?] = [:]
    let result = top.tables("node", called: "node").compactMap { table -> RouteNode? in
      var table = table
      let id = table.require("id", as: .venueID(of: "node", example: "door-2"))
      if let id {
        table.rename("node \(id.quoted)")
        if let first = firstLines[id] {
          table.report("id", "is already used by the node \(table.reference(to: first)); choose another one")
        } else {
          firstLines[id] = table.line(of: "id")
        }
      }
      let level = level(&table)
      let position = table.require("position", as: .point)
      let place = reference(&table, "place", in: places, "place", isRequired: false)
      lines.nodes.append(table.line)
      let isDoor = table.read("door", as: .flag)
      table.finish()
      guard let id, let level, let position else { return nil }
      return RouteNode(id: id, level: level, position: position, place: place, isDoor: isDoor ?? false)
    }
    nodes = Set(firstLines.keys)
    return result
  }

  mutating func readEdges() -> [RouteEdge] {
    top.tables("edge", called: "edge").compactMap { table in
      var table = table
      let from = reference(&table, "from", in: nodes, "node")
      let to = reference(&table, "to", in: nodes, "node")
      if let from, from == to { table.report("to", "is the node where the edge begins; write another one") }
      let kind = table.read("kind", as: ValueDecoder<RouteEdge.Kind>.choice(of: "kind of edge"))
      let isTwoWay = table.read("two-way", as: .flag)
      let wheelchair = table.read("wheelchair", as: ValueDecoder<WheelchairAccess>.choice(of: "kind of access"))
      let length = table.read("length", as: .number(0...100_000))
      let time = table.read("time", as: .duration(.zero ... .seconds(86_400)))
      let steps = table.read("steps", as: .integer(0...10_000))
      let slope = table.read("slope", as: .number(0...10))
      let width = table.read("width", as: .number(0...1000))
      let isClosed = table.read("closed", as: .flag)
      lines.edges.append(table.line)
      table.finish()
      guard let from, let to else { return nil }
      return RouteEdge(
        from: from, to: to, kind: kind ?? .walk, isTwoWay: isTwoWay ?? true, wheelchair: wheelchair ?? .unknown, length: length, time: time,
        steps: steps, slope: slope, width: width, isClosed: isClosed ?? false)
    }
  }

  /// - Parameter levels: The level of each node.
  mutating func readLifts(levels: [String: String]) -> [RouteLift] {
    var firstLines: [String: SourceLine?] = [:]
    return top.tables("lift", called: "lift").compactMap { table in
      var table = table
      let id = table.require("id", as: .venueID(of: "lift", example: "lift"))
      if let id {
        table.rename("lift \(id.quoted)")
        if let first = firstLines[id] {
          table.report("id", "is already used by the lift \(table.reference(to: first)); choose another one")
        }
        firstLines[id] = firstLines[id] ?? table.line(of: "id")
      }
      let stops = table.require("stops", as: .list(of: .text(example: "lift-0"), example: "[\"lift-0\", \"lift-1\"]"))
      for stop in stops ?? [] where !nodes.contains(stop) {
        table.report("stops", "there is no node \(stop.quoted); \(Self.advice(for: stop, in: nodes, "[[node]]"))")
      }
      if let stops, stops.allSatisfy(nodes.contains) {
        let floors = stops.compactMap { levels[$0] }
        if stops.count < 2 || Set(floors).count < floors.count { table.report("stops", "must be at least two nodes on different levels") }
      }
      let board = table.read("board", as: .duration(.zero ... .seconds(3600)))
      let level = table.read("each-level", as: .duration(.zero ... .seconds(3600)))
      let wheelchair = table.read("wheelchair", as: ValueDecoder<WheelchairAccess>.choice(of: "kind of access"))
      let isClosed = table.read("closed", as: .flag)
      table.finish()
      guard let id, let stops else { return nil }
      return RouteLift(
        id: id, stops: stops, boardTime: board ?? RouteLift.defaultBoardTime, levelTime: level ?? RouteLift.defaultLevelTime,
        wheelchair: wheelchair ?? .unknown, isClosed: isClosed ?? false)
    }
  }

  mutating func readAppointments() -> [Appointment] {
    top.tables("appointment", called: "appointment").compactMap { table in
      var table = table
      let title = table.read("title", as: .title)
      let at = table.require("at", as: .instant)
      let place = reference(&table, "place", in: places, "place")
      let margin = table.read("margin", as: .duration(.zero ... .seconds(86_400)))
      lines.appointments.append(table.line)
      table.finish()
      guard let at, let place else { return nil }
      return Appointment(title: title ?? LocalizedText(), at: at, place: place, margin: margin ?? Appointment.defaultMargin)
    }
  }

  /// Returns the id of an existing part; nil if it is absent or was reported.
  private func reference(
    _ table: inout TableReader, _ key: String, in ids: Set<String>, _ thing: String, isRequired: Bool = true
  ) -> String? {
    let decoder = ValueDecoder<String>.text(example: thing == "node" ? "door-2" : "lodestone")
    guard let id = isRequired ? table.require(key, as: decoder) : table.read(key, as: decoder) else { return nil }
    if ids.contains(id) { return id }
    table.report(key, "there is no \(thing) \(id.quoted); \(Self.advice(for: id, in: ids, "[[\(thing)]]"))")
    return nil
  }
}
