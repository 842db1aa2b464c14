import BeaconAdvertising
import Geodesy
import Instants
import Ranging
import Records
import Regions

extension RegionEvent {
  /// The event as every program sees it. Docs/events.md explains each key.
  ///
  /// - Parameters:
  ///   - wallClock: turns the engine's instants into time since the Unix epoch.
  ///   - adapterName: names the adapter of a sighting, nil when it has no name.
  public func record(wallClock: (Instant) -> Instant = { $0 }, adapterName: (UInt16) -> String? = { _ in nil }) -> Record {
    let region = transition.region
    let evidence = transition.evidence
    return Record([
      "sequence": .count(sequence),
      "event": .text(transition.kind.rawValue),
      "region": .text(region.identifier),
      "kind": .text(region.kind.rawValue),
      "time": .time(wallClock(transition.time)),
      "state": .text(transition.state.rawValue),
      "beacon": (evidence?.beacon).map { .record($0.record) },
      "rssi": (evidence?.rssi).map { .rssi($0) },
      "distance": (evidence?.distance).map { .metres($0.metres) },
      "accuracy": (evidence?.accuracy).map { .metres($0) },
      "proximity": region.kind == .beacon ? .text((evidence?.proximity ?? .unknown).rawValue) : nil,
      "location": transition.fix.map { .record($0.record) },
      "boundaryDistance": transition.boundaryDistance.map { .metres($0) },
      "reason": .record(
        Record([
          "cause": .text(transition.cause.rawValue),
          "lastSeen": (evidence?.lastSeen).map { .time(wallClock($0)) },
          "lastSeenAge": (evidence?.lastSeen).map { .quantity(age(since: $0, wallClock), decimals: 3) },
          "samples": (evidence?.samples).map { .count(UInt64($0)) },
          "threshold": transition.threshold.map { .metres($0) },
          "exitDelay": transition.cause == .silence ? (transition.exitDelay?.text).map { .text($0) } : nil,
          "hold": transition.hold.map { .text($0.text) },
          "fixTime": (transition.fix?.time).map { .time(wallClock($0)) },
          "fixAge": (transition.fix?.time).map { .quantity(age(since: $0, wallClock), decimals: 3) },
          "dwell": transition.cause == .stay ? region.dwell.map { .text($0.text) } : nil,
          "adapter": (evidence?.adapter).flatMap(adapterName).map { .text($0) },
        ])),
    ])
  }
}

extension RegionEvent {
  /// In seconds of the wall clock, which goes on while a machine sleeps and the engine's clock may not.
  private func age(since time: Instant, _ wallClock: (Instant) -> Instant) -> Double {
    max(.zero, wallClock(transition.time) - wallClock(time)).seconds
  }
}

extension RegionTransition {
  /// The distance in metres that was crossed, from the beacon or from the circle's center; nil when distance did not decide.
  fileprivate var threshold: Double? {
    switch (cause, region) {
    case (.approach, .beacon(let region)): region.nearness?.within
    case (.departure, .beacon(let region)): region.nearness?.leaveBeyond
    case (.approach, .circle(let region)), (.passage, .circle(let region)): region.circle.radius
    case (.departure, .circle(let region)): region.circle.radius + region.buffer
    default: nil
    }
  }

  /// For how long fixes agreed; nil when that did not decide.
  fileprivate var hold: Span? {
    region.kind == .circle && [.approach, .departure].contains(cause) ? CircularRegion.hold : nil
  }

  /// Metres from the circle's boundary to the last fix: negative inside.
  fileprivate var boundaryDistance: Double? {
    guard let fix else { return nil }
    return region.circularRegion?.boundaryDistance(to: fix)
  }
}

extension BeaconIdentity {
  public var record: Record {
    Record(["uuid": .text(uuid.description), "major": .short(major), "minor": .short(minor)])
  }
}
