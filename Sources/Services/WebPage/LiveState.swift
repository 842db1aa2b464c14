import Events
import Geodesy
import HTTPMessages
import Locations
import Records
import Status
import Venues

/// A message of the live stream.
struct LiveMessage: Hashable {
  let event: String
  var id: String?
  let data: String

  init(_ event: String, id: String? = nil, _ data: String) {
    (self.event, self.id, self.data) = (event, id, data)
  }

  func send(to stream: EventStream) { stream.send(event: event, id: id, data: data) }
}

/// The present state, of which nothing outlives its source.
struct LiveState {
  /// Whether the daemon is on the bus; nil until that is known.
  var isPresent: Bool?
  /// The reason why the daemon refuses the status or the session; nil if it does not.
  var refusal: String?
  var denial: String?
  private var daemon: LiveMessage?
  private var status: LiveMessage?
  private var beacons: LiveMessage?
  private var position: LiveMessage?
  /// The plans on the earth by the ids of their venues.
  private var frames: [String: VenueFrame] = [:]

  /// All messages for a new viewer.
  var messages: [LiveMessage] { [daemon, status, beacons, position].compactMap(\.self) }

  /// Forgets the state that a daemon reported before it ended.
  mutating func forget() { (status, beacons, position, refusal, denial) = (nil, nil, nil, nil, nil) }

  /// Returns the state of the daemon if it has changed.
  mutating func changedDaemon() -> LiveMessage? {
    guard let isPresent else { return nil }
    let reason = refusal ?? denial
    let state = !isPresent ? "absent" : reason == nil ? "running" : "denied"
    let note = isPresent ? reason : PageRefusal.daemonAbsent.message
    let message = LiveMessage("daemon", Record(["state": .text(state), "note": note.map { .text($0) }]).json)
    if message == daemon { return nil }
    daemon = message
    if !isPresent || reason != nil { (beacons, position) = (nil, nil) }
    return message
  }

  /// Returns the status if it has changed.
  mutating func take(status record: Record) -> LiveMessage? {
    let message = LiveMessage("status", MonitorStatus.formatted(record).json)
    if message == status { return nil }
    status = message
    return message
  }

  mutating func take(beacons record: Record) -> LiveMessage {
    let message = LiveMessage("beacons", record.json)
    beacons = message
    return message
  }

  mutating func use(_ plans: [PlanReport]) {
    frames = [:]
    for plan in plans {
      guard let venue = plan.venue, let frame = VenueFrame(plan) else { continue }
      frames[venue] = frame
    }
  }

  /// Returns the position if it has changed.
  mutating func take(_ location: LocationReport) -> LiveMessage? {
    var record = location.record
    if let frame = location.venue.flatMap({ frames[$0] }), let latitude = location.latitude, let longitude = location.longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    {
      let point = frame.point(for: coordinate)
      record.append("x", .quantity(point.x, decimals: 3))
      record.append("y", .quantity(point.y, decimals: 3))
    }
    return changed(position: record)
  }

  mutating func take(unknownLocation reason: String) -> LiveMessage? { changed(position: Record(["note": .text(reason)])) }

  private mutating func changed(position record: Record) -> LiveMessage? {
    let message = LiveMessage("position", record.json)
    if message == position { return nil }
    position = message
    return message
  }
}

extension VenueFrame {
  /// Nil for a plan that is not on the earth.
  init?(_ plan: PlanReport) {
    guard let latitude = plan.latitude, let longitude = plan.longitude,
      let origin = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.init(origin: origin, bearing: plan.bearing ?? 0)
  }
}

/// The last events, in order.
struct RecentEvents {
  private let most: Int
  private var entries: [(place: EventPlace, message: LiveMessage)] = []

  init(_ most: Int) { self.most = most }

  /// Adds an event, and returns its message; nil for one that is in no journal.
  mutating func add(_ event: Event) -> LiveMessage? {
    guard let place = event.place else { return nil }
    let message = LiveMessage("event", id: "\(place.journal):\(place.sequence)", event.json)
    entries.append((place, message))
    if entries.count > most { entries.removeFirst() }
    return message
  }

  /// Returns the events after a place, and whether there may be others between them.
  func after(_ place: EventPlace) -> (messages: [LiveMessage], isIncomplete: Bool) {
    if let index = entries.lastIndex(where: { $0.place == place }) {
      return (entries[(index + 1)...].map(\.message), false)
    }
    // The first event that is known continues the place.
    if let first = entries.first?.place, first == EventPlace(journal: place.journal, sequence: place.sequence + 1) {
      return (entries.map(\.message), false)
    }
    return (entries.map(\.message), true)
  }
}

extension EventPlace {
  /// Reads the id of an event in the stream; nil for any other text.
  init?(id: String) {
    guard let colon = id.lastIndex(of: ":"), let sequence = UInt64(id[id.index(after: colon)...]), sequence < .max else { return nil }
    self.init(journal: String(id[..<colon]), sequence: sequence)
  }
}
