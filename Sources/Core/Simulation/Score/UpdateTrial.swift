import Instants
import LocationArbitration
import Locations

/// A client that subscribes to location updates throughout a scenario, and the number of updates it gets.
public struct UpdateTrial: Sendable {
  public private(set) var updates = 0
  private var locator = Locator(sources: [SourceAbility(.simulator, typicalAccuracy: 0, cost: .none)])
  private static let listener = Locator.Listener.client(1)

  /// Creates a trial.
  ///
  /// - Parameter distanceFilter: metres.
  public init(distanceFilter: Double) {
    locator.listen(Self.listener, LocationRequest(distanceFilter: distanceFilter), at: Scenario.start)
  }

  public mutating func take(_ step: Simulator.Step) {
    guard case .located(.reading(let reading), let time) = step else { return }
    let location: Location
    do throws(LocationRefusal) {
      location = try Location(reading, from: .simulator, at: Receipt(recorded: time))
    } catch { return }
    locator.advance(to: time)
    locator.take(location, from: 0, at: time)
    for case .update(Self.listener, _) in locator.drain() { updates += 1 }
  }
}
