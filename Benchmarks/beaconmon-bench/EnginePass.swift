import Events
import Instants
import Proximity
import Regions

/// The engine's results in the fastest of several passes, and the memory that each of its regions takes.
struct EnginePass {
  /// The processor time of the fastest pass.
  private(set) var seconds = Double.infinity
  private(set) var enters = 0
  private(set) var exits = 0
  let octetsPerRegion: Double

  /// - Parameters:
  ///   - engine: The engine before the first of `inputs`, with `regions` regions.
  ///   - end: The time of the last input.
  init<Input>(
    best passes: Int, regions: Int, _ engine: () -> ProximityEngine, feeding inputs: [Input], until end: Instant,
    ingest: (inout ProximityEngine, Input) -> Void
  ) {
    octetsPerRegion = octets(forEach: regions, engine)
    for _ in 0..<passes {
      var engine = engine()
      (enters, exits) = (0, 0)
      let start = processorSeconds()
      for input in inputs {
        ingest(&engine, input)
        count(engine.drainEvents())
      }
      engine.advance(to: end)
      count(engine.drainEvents())
      seconds = min(seconds, processorSeconds() - start)
    }
  }

  private mutating func count(_ events: [RegionEvent]) {
    for event in events {
      if event.transition.kind == .enter { enters += 1 }
      if event.transition.kind == .exit { exits += 1 }
    }
  }
}
