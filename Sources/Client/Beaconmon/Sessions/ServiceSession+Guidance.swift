internal import DBus
import FoundationEssentials
internal import Instants
internal import MonitorClient
internal import MonitorProtocol
internal import Records
internal import RouteReports
import Synchronization

// MARK: Guidance

extension ServiceSession {
  /// Returns a number for the next guidance.
  func reserveGuidance() -> UInt64 {
    state.withLock { state in
      state.lastGuidance += 1
      return state.lastGuidance
    }
  }

  /// Starts the guidance of a number, and ends any other one.
  func startGuidance(_ token: UInt64, _ request: RouteRequest) {
    let options = request.options()
    let previous = state.withLock { state in
      defer {
        state.guidance = token
        perform { $0.startGuidance(options) }
      }
      return state.guidance
    }
    if let previous { report(.guidance(previous, .ended(GuidanceEnd(.replaced, "another guidance of this program has begun")))) }
  }

  func endGuidance(_ token: UInt64) {
    state.withLock { state in
      guard state.guidance == token else { return }
      state.guidance = nil
      perform { $0.stop(.guiding) }
    }
  }
}

// MARK: Conversions

extension RouteRequest {
  func options(timeout: Duration? = nil) -> GuidanceOptions {
    GuidanceOptions(
      to: destination.option, venue: venue, isAccessible: isAccessible, speed: speed, radius: timeout == nil ? arrivalRadius : nil,
      locale: language, isImperial: !isMetric, from: timeout == nil ? nil : start?.option, timeout: timeout.map { Span($0) })
  }
}

extension RouteRequest.Place {
  fileprivate var option: GuidanceOptions.Place {
    switch self {
    case .place(let text): .place(text)
    case .level(let id): .level(id)
    case .plan(let x, let y, let level): .plan(x: x, y: y, level: level)
    case .coordinate(let coordinate, let level): .earth(latitude: coordinate.latitude, longitude: coordinate.longitude, level: level)
    }
  }
}

extension GuidanceChange {
  init(_ event: RemoteGuidanceEvent) {
    switch event {
    case .updated(let report): self = .state(Guidance(report))
    case .routed(let report): self = .route(Route(report))
    case .instruction(let report): self = .instruction(GuidanceInstruction(report))
    case .failed(let error): self = .failed(LocationError(guiding: error))
    case .ended(let reason, let message): self = .ended(GuidanceEnd(GuidanceEnd.Reason(rawValue: reason) ?? .other, message))
    }
  }
}

extension LocationError {
  /// Creates the error for a service that does not lead.
  init(guiding error: DBusError) {
    self.init(
      error,
      [
        .noRoute: .routeFailure, .noSuchPlace: .routeFailure, .noSuchLevel: .routeFailure, .noSuchVenue: .routeFailure,
        .ambiguousPlace: .routeFailure, .invalidOptions: .routeFailure, .noLocationSource: .noLocationSource,
        .locationUnknown: .locationUnknown,
      ])
  }
}

extension Guidance {
  init(_ report: GuidanceReport) {
    state = report.state.flatMap { State(rawValue: $0.rawValue) } ?? .lost
    mode = report.mode.flatMap { Mode(rawValue: $0.rawValue) }
    (directReason, note) = (report.directReason.flatMap { DirectReason(rawValue: $0.rawValue) }, report.note)
    (venue, place, level, title) = (report.venue, report.place, report.level, report.title)
    (distance, distanceText, timeText) = (report.distance, report.distanceText, report.timeText)
    time = report.time.map { .seconds($0) }
    (length, progress) = (report.length, report.progress)
    (bearing, turn, side) = (report.bearing, report.turn, report.side.flatMap { Side(rawValue: $0.rawValue) })
    (next, nextDistance, nextText) = (report.next.map { Route.Step($0) }, report.nextDistance, report.nextText)
    (position, accuracy) = (report.position.map { Route.Point($0) }, report.accuracy)
    reroutings = report.reroutings.map { Int(clamping: $0) } ?? 0
    timestamp = report.timestamp.map { Date($0) } ?? Date()
  }
}

extension GuidanceInstruction {
  init(_ report: InstructionReport) {
    kind = report.kind.flatMap { Kind(rawValue: $0.rawValue) } ?? .progress
    (text, language, distance) = (report.text ?? "", report.language, report.distance)
    steps = (report.steps ?? []).map { Route.Step($0) }
    timestamp = report.timestamp.map { Date($0) } ?? Date()
  }
}

extension Route {
  init(_ report: RouteReport) {
    (venue, place, title) = (report.venue, report.place, report.title)
    (length, time) = (report.length ?? 0, .seconds(report.time ?? 0))
    (isAccessible, summary) = (report.isAccessible ?? false, report.summary ?? "")
    (steps, points) = ((report.steps ?? []).map { Step($0) }, (report.points ?? []).map { Point($0) })
  }
}

extension Route.Step {
  init(_ report: RouteStepReport) {
    (kind, side, sharpness, mode, landmark) = (report.kind ?? "", report.side, report.sharpness, report.mode, report.landmark)
    (text, offset, length) = (report.text ?? "", report.offset ?? 0, report.length ?? 0)
    (level, floor) = (report.level, report.floor.map { Int(clamping: $0) })
  }
}

extension Route.Point {
  init(_ report: RoutePointReport) {
    (x, y, level, floor, mode) = (report.x, report.y, report.level, report.floor.map { Int(clamping: $0) }, report.mode)
    if let latitude = report.latitude, let longitude = report.longitude {
      coordinate = LocationCoordinate2D(latitude: latitude, longitude: longitude)
    } else {
      coordinate = nil
    }
  }
}
