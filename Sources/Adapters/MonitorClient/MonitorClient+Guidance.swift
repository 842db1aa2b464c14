import DBus
import Instants
import MonitorProtocol
import Records
import RouteReports

/// A report to a client that is guided.
public enum RemoteGuidanceEvent: Hashable, Sendable {
  /// The state of the guidance.
  case updated(GuidanceReport)
  /// The route from now on.
  case routed(RouteReport)
  /// A sentence to speak.
  case instruction(InstructionReport)
  /// The guidance cannot lead at present, and continues by itself.
  case failed(DBusError)
  /// The guidance is over. The reason is a word, such as "arrived".
  case ended(reason: String, message: String)

  /// The names of the signals.
  static let members: Set<String> = [
    "GuidanceUpdated", "GuidanceRouteChanged", "GuidanceInstruction", "GuidanceFailed", "GuidanceEnded",
  ]

  /// Returns nil for another signal.
  init?(_ signal: DBusMessage) {
    let arguments = signal.arguments
    switch (signal.member, signal.signature) {
    case ("GuidanceUpdated", "a{sv}"): self.init(arguments[0]) { .updated(GuidanceReport($0)) }
    case ("GuidanceRouteChanged", "a{sv}"): self.init(arguments[0]) { .routed(RouteReport($0)) }
    case ("GuidanceInstruction", "a{sv}"): self.init(arguments[0]) { .instruction(InstructionReport($0)) }
    case ("GuidanceFailed", "ss"):
      guard let name = arguments[0].string, let message = arguments[1].string else { return nil }
      self = .failed(DBusError(name: name, message: message))
    case ("GuidanceEnded", "ss"):
      guard let reason = arguments[0].string, let message = arguments[1].string else { return nil }
      self = .ended(reason: reason, message: message)
    default: return nil
    }
  }

  private init?(_ value: DBusValue, _ make: (Record) -> RemoteGuidanceEvent) {
    guard let record = Record(value) else { return nil }
    self = make(record)
  }
}

/// The options of `Session.StartGuidance` and `Session.Route`; nil leaves an option to the daemon.
public struct GuidanceOptions: Hashable, Sendable {
  /// A destination or a start.
  public enum Place: Hashable, Sendable {
    /// The id, the title or words of a place.
    case place(String)
    /// The id of a level, which is not a start.
    case level(String)
    /// Metres on the plan.
    case plan(x: Double, y: Double, level: String?)
    /// Degrees on WGS84.
    case earth(latitude: Double, longitude: Double, level: String?)
  }

  public var destination: Place
  /// The id of the venue.
  public var venue: String?
  public var isAccessible: Bool
  /// The walking speed in m/s.
  public var speed: Double?
  /// The distance in metres within which the visitor has arrived; not for `Route`.
  public var radius: Double?
  public var locale: String?
  /// Whether texts use feet and miles.
  public var isImperial: Bool
  /// The start of a route; nil for the position of the device.
  public var start: Place?
  /// The longest time in which `Route` waits for the position.
  public var timeout: Span?

  public init(
    to destination: Place, venue: String? = nil, isAccessible: Bool = false, speed: Double? = nil, radius: Double? = nil,
    locale: String? = nil, isImperial: Bool = false, from start: Place? = nil, timeout: Span? = nil
  ) {
    (self.destination, self.venue, self.isAccessible, self.speed, self.radius) = (destination, venue, isAccessible, speed, radius)
    (self.locale, self.isImperial, self.start, self.timeout) = (locale, isImperial, start, timeout)
  }

  private static let exact = 9

  var record: Record {
    var record = Record()
    append(destination, ["place", "level", "x", "y", "latitude", "longitude"], to: &record)
    if let start { append(start, ["fromPlace", "fromLevel", "fromX", "fromY", "fromLatitude", "fromLongitude"], to: &record) }
    record.append("venue", venue.map { .text($0) })
    record.append("accessible", isAccessible ? .flag(true) : nil)
    record.append("speed", speed.map { .quantity($0, decimals: Self.exact) })
    record.append("radius", radius.map { .quantity($0, decimals: Self.exact) })
    record.append("locale", locale.map { .text($0) })
    record.append("imperial", isImperial ? .flag(true) : nil)
    record.append("timeout", timeout.map { .text($0.text) })
    return record
  }

  private func append(_ place: Place, _ keys: [String], to record: inout Record) {
    func pair(_ first: Int, _ values: (Double, Double), _ level: String?) {
      record.append(keys[first], .quantity(values.0, decimals: Self.exact))
      record.append(keys[first + 1], .quantity(values.1, decimals: Self.exact))
      record.append(keys[1], level.map { .text($0) })
    }
    switch place {
    case .place(let text): record.append(keys[0], .text(text))
    case .level(let id): record.append(keys[1], .text(id))
    case .plan(let x, let y, let level): pair(2, (x, y), level)
    case .earth(let latitude, let longitude, let level): pair(4, (latitude, longitude), level)
    }
  }
}

extension MonitorClient {
  /// Leads to a destination while the returned object is held. Guidance starts again when the daemon returns.
  public func guide(
    _ options: GuidanceOptions, onFailure: @escaping (DBusError) -> Void, handler: @escaping (RemoteGuidanceEvent) -> Void
  ) -> RemoteStream {
    RemoteStream(
      connection, purpose: "beaconmon leads to a place", start: [("StartGuidance", [options.record.dbusValue])],
      // The user may be asked for consent first.
      timeout: RemoteSession.thinking, signals: RemoteGuidanceEvent.members, onFailure: onFailure
    ) { signal in
      if let event = RemoteGuidanceEvent(signal) { handler(event) }
    }
  }

  /// Requests a route.
  ///
  /// - Parameters:
  ///   - purpose: the reason for using the position, shown in the request for consent.
  ///   - appID: the name of the program; nil if it has none.
  public func route(
    _ options: GuidanceOptions, purpose: String, appID: String? = nil, _ completion: @escaping (Result<RouteReport, DBusError>) -> Void
  ) {
    let timeout = (options.timeout ?? .seconds(30)) + RemoteSession.thinking
    let opener = SessionOpener(connection, SessionClaim(purpose: purpose, appID: appID))
    opener.open { [connection] answer in
      // The opener lives until the answer. A person waits for the route, so a failure is reported instead of repeated.
      withExtendedLifetime(opener) {}
      switch answer {
      case .failure(let error): completion(.failure(error))
      case .success(let session):
        connection.call(session: session, "Route", [options.record.dbusValue], timeout: timeout) { reply in
          connection.closeSession(session)
          completion(
            reply.flatMap { values in
              values.first.flatMap { Record($0) }.map { .success(RouteReport($0)) }
                ?? .failure(.monitor(.noRoute, "the answer is not a route"))
            })
        }
      }
    }
  }
}

extension RemoteSession {
  /// Leads to a destination, in place of an earlier one.
  public func startGuidance(_ options: GuidanceOptions) { perform(plan.startGuidance(options)) }

  func receiveGuidance(_ signal: DBusMessage) {
    guard plan.isGuided, let event = RemoteGuidanceEvent(signal) else { return }
    if case .ended = event { plan.guidanceEnded() }
    handler(.guidance(event))
  }
}
