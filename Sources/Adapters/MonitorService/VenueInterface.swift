import ConsentService
import DBus
import Geodesy
import MonitorProtocol
import Monitoring
import Records
import VenueEditing
import Venues
import Wayfinding

/// `org.beaconmon.Monitor1.Venue`: the places and plans of the venues, for every user.
final class VenueInterface {
  private unowned let monitoring: MonitoringService
  private unowned let authority: ConsentService
  private let callers: Callers
  private let edit: VenueEditMethods

  init(_ monitoring: MonitoringService, _ authority: ConsentService, _ callers: Callers, _ editor: VenueEditor) {
    (self.monitoring, self.authority, self.callers) = (monitoring, authority, callers)
    edit = VenueEditMethods(editor, authority, callers)
  }

  /// The places in an answer: by default, and at most.
  private static let (usualPlaces, mostPlaces) = (50, 250)

  private var catalogue: Catalogue { monitoring.catalogue }

  var interface: DBusInterface {
    let options = DBusArgument("options", "a{sv}")
    let places = DBusArgument("places", "aa{sv}")
    return DBusInterface(
      MonitorNames.venue,
      methods: [
        DBusMethod("Plans", in: [options], out: [DBusArgument("plans", "aa{sv}")]) { [unowned self] (call) throws(DBusError) in
          try plans(call.arguments[0])
        },
        DBusMethod("Plan", in: [DBusArgument("level", "s"), options], out: [DBusArgument("plan", "a{sv}")]) {
          [unowned self] (call) throws(DBusError) in try plan(call.arguments[0].string ?? "", call.arguments[1])
        },
        DBusMethod("Survey", in: [DBusArgument("level", "s"), options], out: [DBusArgument("readings", "aa{sv}")]) {
          [unowned self] (call) throws(DBusError) in try survey(call.arguments[0].string ?? "", call.arguments[1])
        },
        DBusMethod("Places", in: [options], out: [places]) { [unowned self] (call) throws(DBusError) in
          try self.places(call.arguments[0])
        },
        DBusMethod("Place", in: [DBusArgument("id", "s"), options], out: [DBusArgument("place", "a{sv}")]) {
          [unowned self] (call) throws(DBusError) in try place(call.arguments[0].string ?? "", call.arguments[1])
        },
        DBusMethod("PlacesNear", in: [DBusArgument("point", "a{sv}"), options], out: [places]) {
          [unowned self] (call) throws(DBusError) in try placesNear(call.arguments[0], call.arguments[1])
        },
        DBusMethod("Search", in: [DBusArgument("text", "s"), DBusArgument("category", "s"), options], out: [places]) {
          [unowned self] (call) throws(DBusError) in
          try search(call.arguments[0].string ?? "", call.arguments[1].string ?? "", call.arguments[2])
        },
        DBusMethod("Offers", in: [options], out: [DBusArgument("offers", "aa{sv}")]) { [unowned self] (call) throws(DBusError) in
          try offers(call.arguments[0])
        },
        .deferred("ResetLearning", in: [options], out: [DBusArgument("receivers", "u")]) { [unowned self] in resetLearning($0) },
        .deferred("RefuseSuggestions", in: [options], out: [DBusArgument("offsets", "u")]) { [unowned self] in refuseSuggestions($0) },
      ] + edit.methods,
      signals: [DBusSignal("VenuesChanged")])
  }

  private func offers(_ options: DBusValue) throws(DBusError) -> [DBusValue] {
    let options = try VenueOptions(options, "Offers", keys: ["locale", "venue"])
    let languages = options.languages(monitoring.languages)
    let reports = try options.venues(catalogue).compactMap { catalogue.venues[$0].offer(preferring: languages) }
    return [.array(of: "a{sv}", reports.map { $0.record.dbusValue })]
  }

  // MARK: Learned offsets

  private func resetLearning(_ call: MethodCall) {
    decide(call, "ResetLearning") { [unowned monitoring] in monitoring.resetLearning(venue: $0, adapter: $1) }
  }

  private func refuseSuggestions(_ call: MethodCall) {
    decide(call, "RefuseSuggestions") { [unowned monitoring] in monitoring.refuseSuggestions(venue: $0, adapter: $1) }
  }

  /// Applies a decision about the learned offsets of an adapter at a venue, nil for all, if the caller is an administrator.
  private func decide(_ call: MethodCall, _ method: String, _ decision: @escaping (_ venue: String?, _ adapter: String?) -> Int) {
    guard let person = callers.person(call.sender) else { return call.fail(.accessDenied("the bus does not identify the caller")) }
    authority.authorizeManager(person, busName: call.sender, for: .resetLearning) { [unowned self] isAllowed in
      guard isAllowed else {
        return call.fail(
          .accessDenied(
            "\(method) requires an administrator; call it as root, or let polkit permit org.beaconmon.monitor.reset-learning"))
      }
      do throws(DBusError) {
        let options = try VenueOptions(call.arguments[0], method, keys: ["locale", "venue", "adapter"])
        _ = try options.venues(catalogue)
        call.reply([.uint32(UInt32(clamping: decision(options.text("venue"), options.text("adapter"))))])
      } catch {
        call.fail(error)
      }
    }
  }

  // MARK: Plans

  private func plans(_ options: DBusValue) throws(DBusError) -> [DBusValue] {
    let options = try VenueOptions(options, "Plans", keys: ["locale", "venue"])
    let languages = options.languages(monitoring.languages)
    var reports: [DBusValue] = []
    for venue in try options.venues(catalogue).map({ catalogue.venues[$0] }) {
      for level in venue.levels {
        var report = venue.report(of: level, preferring: languages)
        // An answer for each level in full could exceed a message.
        (report.walkable, report.voids, report.walls, report.beacons) = (nil, nil, nil, nil)
        reports.append(report.record.dbusValue)
      }
    }
    return [.array(of: "a{sv}", reports)]
  }

  private func plan(_ level: String, _ options: DBusValue) throws(DBusError) -> [DBusValue] {
    let options = try VenueOptions(options, "Plan", keys: ["locale", "venue"])
    let venues = try options.venues(catalogue)
    for venue in venues.map({ catalogue.venues[$0] }) {
      guard let found = venue.level(level) else { continue }
      return [venue.report(of: found, preferring: options.languages(monitoring.languages)).record.dbusValue]
    }
    throw noLevel(level, in: venues)
  }

  /// The readings in an answer: by default, and at most.
  private static let mostReadings = 1000

  private func survey(_ level: String, _ options: DBusValue) throws(DBusError) -> [DBusValue] {
    let options = try VenueOptions(options, "Survey", keys: ["venue", "offset", "limit"])
    let venues = try options.venues(catalogue)
    guard let venue = venues.map({ catalogue.venues[$0] }).first(where: { $0.level(level) != nil }) else {
      throw noLevel(level, in: venues)
    }
    let (offset, limit) = (try options.count("offset", upTo: .max) ?? 0, try options.count("limit", upTo: Self.mostReadings))
    let readings = (venue.survey?.readings ?? []).lazy.filter { $0.level == level }.dropFirst(offset).prefix(limit ?? Self.mostReadings)
    return [.array(of: "a{sv}", readings.map { SurveyReadingReport($0).record.dbusValue })]
  }

  private func noLevel(_ level: String, in venues: [Int]) -> DBusError {
    let refusal = catalogue.noLevel(level, in: venues)
    return .monitor(MonitorError(refusal.reason), refusal.message)
  }

  /// Returns the level of the option; nil for all. Throws if none of the venues has it.
  private func level(_ options: VenueOptions, in venues: [Int]) throws(DBusError) -> String? {
    guard let level = options.text("level") else { return nil }
    guard venues.contains(where: { catalogue.venues[$0].level(level) != nil }) else { throw noLevel(level, in: venues) }
    return level
  }

  // MARK: Places

  private func places(_ options: DBusValue) throws(DBusError) -> [DBusValue] {
    let options = try VenueOptions(options, "Places", keys: ["locale", "venue", "level", "offset", "limit", "areas"])
    let venues = try options.venues(catalogue)
    let level = try level(options, in: venues)
    let all = venues.flatMap { venue in
      catalogue.venues[venue].places.filter { level == nil || $0.level == level }
        .map { Catalogue.Found(venue: venue, place: $0) }
    }
    let offset = try options.count("offset", upTo: .max) ?? 0
    return answer(all.dropFirst(offset).prefix(try limit(options)), options, hasAreas: options.flag("areas"))
  }

  private func place(_ id: String, _ options: DBusValue) throws(DBusError) -> [DBusValue] {
    let options = try VenueOptions(options, "Place", keys: ["locale", "venue"])
    for venue in try options.venues(catalogue) {
      guard let place = catalogue.place(id, in: venue) else { continue }
      let report = Catalogue.Found(venue: venue, place: place)
        .report(of: catalogue, preferring: options.languages(monitoring.languages), isWhole: true)
      return [report.record.dbusValue]
    }
    throw .monitor(.noSuchPlace, "there is no place \"\(id)\"; Places lists the places")
  }

  private func placesNear(_ point: DBusValue, _ options: DBusValue) throws(DBusError) -> [DBusValue] {
    let options = try VenueOptions(options, "PlacesNear", keys: ["locale", "venue", "level", "limit"])
    let point = try VenueOptions(point, "PlacesNear", keys: ["latitude", "longitude", "x", "y"])
    let limit = try limit(options)
    let venues = try options.venues(catalogue)
    let level = try level(options, in: venues)
    if let latitude = point.number("latitude"), let longitude = point.number("longitude"), !point.has("x"), !point.has("y") {
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        throw VenueOptions.invalid("latitude must be between -90 and 90, and longitude finite")
      }
      let near = venues.flatMap { venue in
        catalogue.venues[venue].frame.map {
          catalogue.places(near: $0.point(for: coordinate), in: venue, level: level, limit: limit)
        } ?? []
      }
      return answer(near.sorted { ($0.distance ?? 0) < ($1.distance ?? 0) }.prefix(limit), options)
    }
    guard let x = point.number("x"), let y = point.number("y"), !point.has("latitude"), !point.has("longitude") else {
      throw VenueOptions.invalid("a point is latitude and longitude in degrees, or x and y in metres on the plan")
    }
    guard x.isFinite, y.isFinite else { throw VenueOptions.invalid("x and y must be finite") }
    guard venues.count <= 1 else {
      throw VenueOptions.invalid(
        "venue is required with x and y, because there are several: \(catalogue.venues.map(\.id).joined(separator: ", "))")
    }
    let near = venues.flatMap { catalogue.places(near: PlanPoint(x: x, y: y), in: $0, level: level, limit: limit) }
    return answer(near[...], options)
  }

  private func search(_ text: String, _ category: String, _ options: DBusValue) throws(DBusError) -> [DBusValue] {
    let options = try VenueOptions(options, "Search", keys: ["locale", "limit"])
    guard category.isEmpty || Place.Kind(rawValue: category) != nil else {
      throw VenueOptions.invalid(
        "category \"\(category)\" is unknown; use one of \(Place.Kind.allCases.map(\.rawValue).joined(separator: ", ")), or an empty text for all"
      )
    }
    return answer(catalogue.search(text, kind: Place.Kind(rawValue: category), limit: try limit(options))[...], options)
  }

  private func limit(_ options: VenueOptions) throws(DBusError) -> Int {
    try options.count("limit", upTo: Self.mostPlaces) ?? Self.usualPlaces
  }

  private func answer(_ places: some Sequence<Catalogue.Found>, _ options: VenueOptions, hasAreas: Bool = false) -> [DBusValue] {
    let languages = options.languages(monitoring.languages)
    let reports = places.map { $0.report(of: catalogue, preferring: languages, isWhole: false, hasArea: hasAreas) }
    return [.array(of: "a{sv}", reports.map(\.record.dbusValue))]
  }
}
