public import Instants
import RouteReports
import Venues

/// Writes routes and announcements in the reader's language.
///
/// The wording follows Wayfindr's recommendations (ITU-T F.921): the action first, one action in a sentence, no count of steps, no compass.
public struct RouteText: Sendable {
  private let network: WayNetwork
  private let languages: [String]
  private let measures: GuidanceText
  private let book: Phrasebook

  /// - Parameters:
  ///   - languages: the reader's language tags, the best one first.
  ///   - isMetric: whether lengths are metres; feet otherwise.
  public init(_ network: WayNetwork, languages: [String], isMetric: Bool = true) {
    self.network = network
    self.languages = languages
    measures = GuidanceText(languages: languages, isMetric: isMetric)
    book = .preferring(languages)
  }

  // MARK: Values

  /// Returns a length in words: `6 metres`, `85 metres`, `1.3 kilometres`.
  ///
  /// - Parameter isAfterIn: whether the length follows the word for "in".
  public func distance(_ metres: Double, isAfterIn: Bool = false) -> String { measures.distance(metres, isAfterIn: isAfterIn) }

  /// Returns a time in words: `4 minutes`.
  public func time(_ span: Span) -> String { measures.time(span) }

  private func name(ofLevel level: Int) -> String {
    let level = network.venue.levels[level]
    return level.name.text(preferring: languages) ?? level.id
  }

  private func name(of place: Int?) -> String {
    place.map { network.venue.places[$0].name(preferring: languages) } ?? book.destination
  }

  // MARK: Manoeuvres

  /// Returns the action of a manoeuvre without a capital or a full stop: `turn left at the door`.
  ///
  /// - Parameter destination: the index of the place at the end of the route; nil for a point.
  public func action(_ manoeuvre: Manoeuvre, to destination: Int?) -> String {
    switch manoeuvre.kind {
    case .start(let turn):
      if let turn { return action(turn) }
      return book.forward
    case .straight: return marked(book.straight, manoeuvre)
    case .turn(let turn):
      let action = action(turn)
      return manoeuvre.isAtDoor ? book.inDoor.filled(["action": action]) : marked(action, manoeuvre)
    case .door: return book.throughDoor
    case .changeLevel(let mode, let isUp, let level): return entered(action(mode, isUp: isUp, level), manoeuvre)
    case .proceed(let level):
      let action = manoeuvre.isAtDoor ? book.throughDoor : manoeuvre.isOnNewLevel ? book.goOn : book.forward
      return manoeuvre.isOnNewLevel ? book.onLevel.filled(["level": name(ofLevel: level), "action": action]) : action
    case .passLandmark(let side): return book.pass[side].filled(["place": name(of: manoeuvre.landmark)])
    case .arrive(let side): return (side.map { book.arrive[$0] } ?? book.arriveAhead).filled(["place": name(of: destination)])
    }
  }

  /// Returns an action with the turn and the door right before it: `turn right, then take the stairs up to First floor`.
  private func entered(_ action: String, _ manoeuvre: Manoeuvre) -> String {
    var entry = manoeuvre.entry.map { self.action($0) }
    if manoeuvre.isAtDoor { entry = entry.map { book.inDoor.filled(["action": $0]) } ?? book.throughDoor }
    return entry.map { book.then.filled(["first": $0, "second": action]) } ?? action
  }

  private func action(_ turn: Manoeuvre.Turn) -> String {
    switch turn.sharpness {
    case .slight: book.slight[turn.side]
    case .usual: book.usual[turn.side]
    case .sharp: book.sharp[turn.side]
    case .around: book.around[turn.side]
    }
  }

  private func action(_ mode: Route.Mode, isUp: Bool?, _ level: Int) -> String {
    let texts =
      switch mode {
      case .stairs: book.stairs
      case .escalator: book.escalator
      case .lift: book.lift
      case .movingWalkway: book.movingWalkway
      case .ramp, .walk, .gate: book.ramp
      }
    guard let isUp else { return mode == .walk ? book.forward : mode == .gate ? book.throughGate : texts.flat }
    return (isUp ? texts.up : texts.down).filled(["level": name(ofLevel: level)])
  }

  /// Returns an action with the landmark that marks its place.
  private func marked(_ action: String, _ manoeuvre: Manoeuvre) -> String {
    guard let landmark = manoeuvre.landmark else { return action }
    return book.atLandmark.filled(["place": name(of: landmark), "action": action])
  }

  /// Returns a sentence for each manoeuvre of a whole route, such as `Turn left at the door, then move forward 12 metres.`
  public func sentences(_ manoeuvres: [Manoeuvre], to destination: Int?) -> [String] {
    if manoeuvres.count == 1, case .arrive(nil) = manoeuvres[0].kind {
      return [ended(destination == nil ? book.alreadyThere : book.alreadyAt.filled(["place": name(of: destination)]))]
    }
    return manoeuvres.map { sentence($0, to: destination) }
  }

  /// Returns the sentence for one manoeuvre of a route.
  public func sentence(_ manoeuvre: Manoeuvre, to destination: Int?) -> String { sentence(action(manoeuvre, to: destination), manoeuvre) }

  private func sentence(_ action: String, _ manoeuvre: Manoeuvre) -> String {
    switch manoeuvre.kind {
    case .start(nil):
      return manoeuvre.length < 1 ? ended(action) : ended(book.forwardFor.filled(["distance": distance(manoeuvre.length)]))
    case .proceed(let level):
      guard manoeuvre.length >= 1 else { return ended(action) }
      let forward = book.forwardFor.filled(["distance": distance(manoeuvre.length)])
      let way = manoeuvre.isAtDoor ? book.then.filled(["first": book.throughDoor, "second": forward]) : forward
      return ended(manoeuvre.isOnNewLevel ? book.onLevel.filled(["level": name(ofLevel: level), "action": way]) : way)
    case .arrive, .changeLevel, .passLandmark: return ended(action)
    case .start, .straight, .turn, .door:
      guard manoeuvre.length >= 1 else { return ended(action) }
      let forward = book.forwardFor.filled(["distance": distance(manoeuvre.length)])
      return ended(book.then.filled(["first": action, "second": forward]))
    }
  }

  private func ended(_ text: String) -> String { text.capitalized + "." }

  /// Returns the length and time of a route: `85 metres, 2 minutes`.
  public func summary(_ route: Route) -> String { summary(length: route.length, time: route.time) }

  public func summary(length: Double, time: Span) -> String { measures.summary(length: length, time: time) }
}

// MARK: - Announcements

extension RouteText {
  /// Returns the text to speak.
  public func text(_ announcement: Announcement, to destination: Int?) -> String {
    let all = announcement.manoeuvres
    switch announcement.kind {
    case .start, .rerouted:
      let begin = announcement.kind == .rerouted ? ended(book.offRoute) + " " : ""
      guard let first = all.first else { return begin }
      return begin + (all.count > 1 ? ended(joined(all, to: destination)) : sentence(first, to: destination))
    case .approach:
      if all.count == 1, let place = reached(all[0], destination) { return reaching(place, in: announcement.distance) }
      let text = joined(all, to: destination)
      if all.first?.isMarked == true { return ended(text) }
      return ended(book.inDistance.filled(["distance": distance(announcement.distance, isAfterIn: true), "action": text]))
    case .now, .passing:
      if all.count == 1, case .proceed = all[0].kind { return sentence(all[0], to: destination) }
      return ended(joined(all, to: destination))
    case .progress: return ended(book.keepGoing.filled(["distance": distance(announcement.distance)]))
    case .arrived:
      if destination == nil, case .arrive(nil)? = all.first?.kind { return ended(book.arrived) }
      return ended(book.routeEnded.filled(["arrival": joined(all, to: destination)]))
    }
  }

  /// The metres between two actions from which a text states their distance.
  static let joint = 5.0

  /// Returns the actions of manoeuvres in succession as one text: `turn left, then in 10 metres turn right`.
  private func joined(_ manoeuvres: [Manoeuvre], to destination: Int?) -> String {
    let steps = steps(manoeuvres, to: destination)
    guard let first = steps.first else { return "" }
    return zip(steps, steps.dropFirst()).reduce(first.action) { text, pair in
      let (before, next) = pair
      let metres = next.first.offset - before.last.offset
      var values = ["first": text, "second": next.action, "distance": distance(metres, isAfterIn: true)]
      switch (before.last.kind, next.first.kind) {
      case (.start(nil), _) where metres >= Self.joint:
        values["first"] = book.forwardFor.filled(["distance": distance(metres)])
        return book.then.filled(values)
      // The distance in between is that of the stairs or the lift, which is not stated.
      case (.changeLevel, _): return book.then.filled(values)
      case (_, .arrive(nil)) where metres >= 1:
        values["place"] = name(of: destination)
        return book.thenReach.filled(values)
      case (_, .arrive) where metres >= 1: return book.thenIn.filled(values)
      default: return (metres >= Self.joint && !next.first.isMarked ? book.thenIn : book.then).filled(values)
      }
    }
  }

  /// Returns the actions of manoeuvres in succession; doors in succession are one action.
  private func steps(_ manoeuvres: [Manoeuvre], to destination: Int?) -> [(action: String, first: Manoeuvre, last: Manoeuvre)] {
    var steps: [(action: String, first: Manoeuvre, last: Manoeuvre)] = []
    for manoeuvre in manoeuvres {
      if manoeuvre.kind == .door, let before = steps.last, before.last.kind == .door {
        steps[steps.count - 1] = (book.throughDoors, before.first, manoeuvre)
      } else {
        steps.append((action(manoeuvre, to: destination), manoeuvre, manoeuvre))
      }
    }
    return steps
  }

  /// Returns the name of the place straight ahead or the level that a visitor reaches with a manoeuvre; nil for another one.
  private func reached(_ manoeuvre: Manoeuvre, _ destination: Int?) -> String? {
    switch manoeuvre.kind {
    case .arrive(nil): name(of: destination)
    case .proceed(let level) where manoeuvre.isOnNewLevel: name(ofLevel: level)
    default: nil
    }
  }

  private func reaching(_ place: String, in metres: Double) -> String {
    ended(book.reachIn.filled(["distance": distance(metres, isAfterIn: true), "place": place]))
  }

  /// Returns the remark that a route begins at this many metres from its start; nil if it begins there.
  public func startMoved(by metres: Double) -> String? {
    metres < Self.leastMove ? nil : ended(book.startMoved.filled(["distance": distance(metres)]))
  }

  /// The minimum distance in metres at which a start counts as moved.
  private static let leastMove = 0.5

  /// Returns the next manoeuvre with its distance, as a screen shows it: `In 7 metres, turn left.`
  public func next(_ manoeuvre: Manoeuvre, in metres: Double, to destination: Int?) -> String {
    let action = action(manoeuvre, to: destination)
    guard metres >= 1 else { return ended(action) }
    if let place = reached(manoeuvre, destination) { return reaching(place, in: metres) }
    return ended(book.inDistance.filled(["distance": distance(metres, isAfterIn: true), "action": action]))
  }
}

extension Manoeuvre {
  /// Whether a landmark or a door marks the place of the manoeuvre, which is easier to find than a distance.
  fileprivate var isMarked: Bool {
    switch kind {
    case .turn, .straight: landmark != nil || isAtDoor
    case .door: true
    case .start, .changeLevel, .proceed, .passLandmark, .arrive: false
    }
  }
}
