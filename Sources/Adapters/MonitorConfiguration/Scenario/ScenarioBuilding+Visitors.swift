import BeaconAdvertising
import Beacons
import Diagnostics
import Instants
import Simulation
import Venues

// MARK: Visitors

extension ScenarioBuilding {
  /// Adds the visitors' paths to a scenario, and returns the index of each visitor's name among them.
  func visitors(_ tables: [TableReader], _ scenario: inout Scenario) -> [String: Int] {
    var names: [String: Int] = [:]
    let finder = WayFinder(venue, walls: scenario.walls)
    for var table in tables {
      let index = scenario.visitors.count
      if let name = table.require("name", as: .name(of: "visitor", example: "anna")) {
        table.rename("visitor \(name.quoted)")
        if names[name] != nil { table.report("name", "is already used by another visitor; choose another one") }
        names[name] = index
      }
      let path: VisitorPath?
      if table.has("wander") {
        let random = randomVisitor(&table, index, finder)
        path = random?.path
        if let random { scenario.randomVisitors.append(random.visitor) }
      } else {
        path = table.has("speed") ? walk(&table, finder, scenario) : timedPath(&table)
      }
      table.finish()
      scenario.visitors.append(path ?? VisitorPath([.init(at: .zero, place: PlanPoint(x: 0, y: 0))]))
    }
    return names
  }

  private static let waypointExample = "such as { at = \"0s\", place = [0, 0] }"

  /// Reads a path whose waypoints state their times.
  private func timedPath(_ table: inout TableReader) -> VisitorPath {
    let every = table.read("every", as: .repetition)
    let waypoints = waypointTables(&table).compactMap(waypoint)
    if waypoints.isEmpty { table.report("path", "requires at least one waypoint, \(Self.waypointExample)") }
    for (earlier, later) in zip(waypoints, waypoints.dropFirst()) where later.at <= earlier.at {
      table.report("path", "goes back in time at \"\(later.at.text)\"; each waypoint must be later than the previous one")
    }
    if let last = waypoints.last { checkRepetition(table, every, last.at) }
    return VisitorPath(waypoints, every: every)
  }

  private func waypointTables(_ table: inout TableReader) -> [TableReader] {
    table.tables("path", called: (table.place + ["path"]).joined(separator: ": "))
  }

  private func checkRepetition(_ table: TableReader, _ every: Span?, _ end: Span) {
    guard let every, every <= end else { return }
    table.report("every", "ends before the path; it must be longer than \"\(end.text)\"")
  }

  private func waypoint(_ table: consuming TableReader) -> VisitorPath.Waypoint? {
    let at = table.require("at", as: .inScenario)
    let place = table.require("place", as: .point)
    let level = level(&table)
    table.finish()
    guard let at, let place else { return nil }
    return VisitorPath.Waypoint(at: at, place: place, level: ordinal(level))
  }

  /// Reads a path at walking speed, which takes the stairs and lifts of the venue.
  private func walk(_ table: inout TableReader, _ finder: WayFinder, _ scenario: Scenario) -> VisitorPath? {
    let speed = table.read("speed", as: .walkingSpeed)
    let start = table.read("start", as: .inScenario) ?? .zero
    let every = table.read("every", as: .repetition)
    let tables = waypointTables(&table)
    if tables.isEmpty { table.report("path", "requires at least one waypoint, such as { place = [0, 0] }") }
    guard let speed else { return nil }
    var builder: WalkBuilder?
    for var waypoint in tables {
      let stop = stop(&waypoint, finder)
      let wait = waypoint.read("wait", as: .inScenario) ?? .zero
      waypoint.finish()
      guard let stop else { return nil }
      let before = builder?.place
      if builder == nil {
        builder = WalkBuilder(finder, scenario, at: stop, from: start, speed: speed)
      } else if builder?.walk(to: stop) == false, let before {
        let from = before.level == stop.level ? before.point.text : "\(before.point.text) on level \(before.level.quoted)"
        waypoint.report(
          "place", "there is no way to \(stop.point.text) from \(from); add a [[node]] and [[edge]] or a [[lift]] to the venue")
        return nil
      }
      builder?.wait(wait)
    }
    guard let builder else { return nil }
    checkRepetition(table, every, builder.time)
    return VisitorPath(builder.waypoints, every: every)
  }

  /// Returns the place and level of a waypoint at walking speed; nil if it was reported.
  private func stop(_ table: inout TableReader, _ finder: WayFinder) -> WayFinder.Stop? {
    let place = table.require("place", as: .point)
    let level = level(&table)
    guard let place, let level else { return nil }
    let stop = WayFinder.Stop(point: place, level: level)
    guard finder.isWalkable(stop) else {
      table.report("place", "\(place.text) is outside the walkable areas of level \(level.quoted); choose a place inside them")
      return nil
    }
    return stop
  }

  /// Reads a visitor who walks to random places.
  private func randomVisitor(
    _ table: inout TableReader, _ visitor: Int, _ finder: WayFinder
  ) -> (visitor: RandomVisitor, path: VisitorPath)? {
    let from = table.table("wander")
    let speed = table.read("speed", as: .walkingSpeed) ?? WayFinder.usualSpeed
    let start = table.read("start", as: .inScenario) ?? .zero
    for key in ["path", "every"] where table.has(key) {
      _ = table.read(key, as: ValueDecoder<Bool>.anything)
      table.report(key, "has no effect with wander; remove one of them")
    }
    guard venue != nil else {
      table.report("wander", "requires a venue, whose walkable areas the visitor stays in; add venue = \"gallery.toml\" at the top")
      return nil
    }
    guard var from else { return nil }
    let stop = stop(&from, finder)
    let pause = from.read("pause", as: .duration(.zero ... .seconds(86_400))) ?? RandomVisitor.defaultPause
    let stayShare = from.read("stay-on-level", as: .number(0...1)) ?? RandomVisitor.defaultStayShare
    let levels = from.read("levels", as: .list(of: .text(example: "ground"), example: "[\"ground\", \"first\"]"))
    for id in levels ?? [] where venue?.level(id) == nil { from.report("levels", "the venue has no level \(id.quoted)") }
    from.finish()
    guard let stop else { return nil }
    let others = levels ?? venue?.levels.map(\.id) ?? []
    let randomVisitor = RandomVisitor(
      visitor: visitor, levels: [stop.level] + others.filter { $0 != stop.level }, speed: speed, pause: pause, stayShare: stayShare)
    return (randomVisitor, VisitorPath([.init(at: start, place: stop.point, level: ordinal(stop.level))]))
  }
}
