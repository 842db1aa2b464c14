import Locating
import Locations

/// Something that can say where the device is. Off until it is started; on it follows its receiver or service through loss and return by itself.
public protocol LocationSource: AnyObject {
  var ability: SourceAbility { get }
  var health: LocationHealth { get }
  var counts: LocationCounts { get }
  var onLocation: (Location) -> Void { get set }
  /// `health` is another one.
  var onHealthChange: (LocationHealth) -> Void { get set }

  /// Switches it on, or tells one that is on that another accuracy is wanted now. What it says comes later, from the loop.
  func start(for accuracy: DesiredAccuracy)
  /// Nothing runs for it from here on, and nothing comes any more. Harmless when it is off.
  func stop()
}
