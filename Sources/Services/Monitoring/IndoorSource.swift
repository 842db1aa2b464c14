import Geodesy
import IndoorPositioning
import Instants
import LocationArbitration
import Locations
import Positioning
import Proximity
import Records

/// The indoor position in the configured venues as a source of locations.
///
/// Outside of the venues, the source is unavailable and delivers nothing.
public final class IndoorSource: LocationSource {
  public let ability = SourceAbility(.indoor, typicalAccuracy: 2, cost: .low, topSpeed: 2.5, followsRecording: true)
  public private(set) var health = LocationHealth(.off)
  public private(set) var counts = LocationCounts()
  public var heading: HeadingReport? { nil }
  public var onLocation: (Location) -> Void = { _ in }
  public var onHealthChange: (LocationHealth) -> Void = { _ in }
  /// Receives whether the source is on, at each switch.
  var onSwitch: (Bool) -> Void = { _ in }

  private let clock: any LocationClock

  /// - Parameter clock: the clock of `Location.received`.
  public init(_ clock: any LocationClock) {
    self.clock = clock
  }

  var isOn: Bool { health.state != .off }

  public func start(for accuracy: DesiredAccuracy) {
    guard !isOn else { return }
    change(to: LocationHealth(.away))
    onSwitch(true)
  }

  public func stop() {
    guard isOn else { return }
    change(to: LocationHealth(.off))
    onSwitch(false)
  }

  /// Takes the position of a second.
  ///
  /// - Parameters:
  ///   - age: the time since that second, on the clock of the recording if it is one.
  ///   - time: that second since the Unix epoch, by which a photo finds its floor.
  func take(_ position: IndoorPosition, age: Span, time: Instant) {
    guard isOn else { return }
    guard let estimate = position.output.estimate else {
      return change(to: position.output.absence.map { $0.health } ?? LocationHealth(.away))
    }
    guard let coordinate = position.coordinate else {
      return change(to: LocationHealth(.silent, "the venue \"\(position.venue)\" has no [frame], so its location on the earth is unknown"))
    }
    var reading = LocationReading(latitude: coordinate.latitude, longitude: coordinate.longitude, horizontalAccuracy: estimate.deviation)
    (reading.floor, reading.time) = (estimate.level, time)
    do throws(LocationRefusal) {
      let location = try Location(reading, from: .indoor, at: Receipt(recorded: clock.now - age))
      counts.fixes += 1
      change(to: LocationHealth(.fixing))
      onLocation(location)
    } catch {
      counts.refused.count(error)
      change(to: LocationHealth(.silent, "its fixes are refused: \(error.words)"))
    }
  }

  private func change(to new: LocationHealth) {
    guard new != health else { return }
    health = new
    onHealthChange(new)
  }
}

extension Location.Source {
  /// The position in a venue, from the beacons that its file plans.
  static let indoor = Location.Source("indoor", lifetime: .seconds(10))
}

extension IndoorAbsence {
  /// The health of the source while this is the reason for having no position.
  fileprivate var health: LocationHealth {
    switch self {
    case .outside: LocationHealth(.away)
    case .starting: LocationHealth(.starting)
    case .tooFewTransmitters:
      LocationHealth(
        .silent, "fewer than \(IndoorEngine.leastHeard) beacons of the venue are in range; add beacons, or move them closer together")
    case .inaccurate:
      LocationHealth(.silent, "the position is more inaccurate than \(Int(IndoorEngine.worstAccuracy)) m; add beacons to the venue")
    case .inconsistent:
      LocationHealth(
        .silent,
        "the loudest beacon does not fit its position in the venue file; compare the file with the room, or calibrate this receiver with rssi-offset"
      )
    case .uncertainLevel: LocationHealth(.silent, "the floor is uncertain; add beacons to each floor of the venue")
    }
  }
}
