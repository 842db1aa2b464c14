import EventLoop
import Instants
import LocationSources
import Locations
import Positioning
import TestSupport

/// Records the outputs of a source.
final class Listener {
  private(set) var locations: [Location] = []
  private(set) var health: [LocationHealth] = []
  private let loop: Loop
  private let source: any LocationSource

  init(_ loop: Loop, _ source: any LocationSource) {
    self.loop = loop
    self.source = source
    source.onLocation = { [unowned self] in
      locations.append($0)
      loop.stop()
    }
    source.onHealthChange = { [unowned self] in
      health.append($0)
      loop.stop()
    }
  }

  /// Runs the loop until `condition` holds.
  func wait(within limit: Span = .seconds(20), until condition: (Listener) -> Bool) throws {
    try loop.wait(within: limit) { condition(self) }
  }

  func wait(for state: LocationHealth.State, within limit: Span = .seconds(20)) throws {
    try wait(within: limit) { $0.source.health.state == state }
  }

  /// Returns the next `count` locations from now on.
  func next(_ count: Int) throws -> [Location] {
    let before = locations.count
    try wait { $0.locations.count >= before + count }
    return Array(locations[before...])
  }
}
