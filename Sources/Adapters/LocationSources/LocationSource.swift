import Locating
import Locations
import Records

/// Something that can say where the device is. Off until it is started; on it follows its receiver or service through loss and return by itself.
public protocol LocationSource: AnyObject {
  var ability: SourceAbility { get }
  /// What it hears goes through this, and how it stands is known there.
  var intake: FixIntake { get }
  /// What became of the lines that it reads; nil for a source that reads none.
  var lineCounts: Record? { get }

  /// Switches it on, or tells one that is on that another accuracy is wanted now. What it says comes later, from the loop.
  func start(for accuracy: DesiredAccuracy)
  /// Nothing runs for it from here on, and nothing comes any more. Harmless when it is off.
  func stop()
}

extension LocationSource {
  public var lineCounts: Record? { nil }
  public var health: LocationHealth { intake.health }

  public var counts: LocationCounts {
    var counts = intake.counts
    counts.lines = lineCounts
    return counts
  }

  public var onLocation: (Location) -> Void {
    get { intake.onLocation }
    set { intake.onLocation = newValue }
  }

  /// `health` is another one.
  public var onHealthChange: (LocationHealth) -> Void {
    get { intake.onHealthChange }
    set { intake.onHealthChange = newValue }
  }
}
