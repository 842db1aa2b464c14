import EventLoop
import Instants
import LocationArbitration
import Locations
import Positioning

/// The location of a device that does not move, from the config.
public final class FixedSource: ReceiverSource {
  public let ability: SourceAbility

  private let loop: Loop
  private let place: LocationReading
  let validator: FixValidator
  private var telling: DeferredSource?

  public init(_ loop: Loop, at place: LocationReading) {
    self.loop = loop
    self.place = place
    ability = SourceAbility(.fixed, typicalAccuracy: place.typicalAccuracy, cost: .none)
    validator = FixValidator(loop, .fixed, .onChange(.seconds(1))) { .now(loop) }
  }

  public func start(for accuracy: DesiredAccuracy) {
    guard telling == nil else { return }
    validator.begin()
    telling = loop.deferred { [unowned self] in validator.take(place) }
    telling?.trigger()
  }

  public func stop() {
    guard telling != nil else { return }
    telling = nil
    validator.end()
  }
}

extension Location.Source {
  /// The configured location of a device that does not move.
  static let fixed = Location.Source("fixed", lifetime: nil, isSteady: false)
}
