import Instants
import Records

/// One second of ranging.
public struct RangingSnapshot: Hashable, Sendable {
  public let time: Instant
  /// The beacons, nearest first, those of unknown distance last.
  public let beacons: [Record]

  /// The snapshot as one line of JSON: `{time, beacons[]}`.
  public var record: Record { Record(["time": .time(time), "beacons": .list(beacons.map { BeaconReport.formatted($0) })]) }

  public init(time: Instant, beacons: [Record]) {
    self.time = time
    self.beacons = beacons
  }
}

/// Combines the snapshots of several constraints to one for each second.
public struct SnapshotRounds {
  private let constraints: [BeaconConstraint]
  private var round: [BeaconConstraint: RangingSnapshot] = [:]

  public init(_ constraints: [BeaconConstraint]) {
    self.constraints = constraints
  }

  /// Takes a snapshot and returns those that are complete. A constraint without a snapshot in a second has no beacons in it.
  public mutating func take(_ snapshot: RangingSnapshot, of constraint: BeaconConstraint?) -> [RangingSnapshot] {
    guard constraints.count > 1, let constraint else { return [snapshot] }
    var complete: [RangingSnapshot] = []
    if round[constraint] != nil { complete.append(combined()) }
    round[constraint] = snapshot
    if round.count == constraints.count { complete.append(combined()) }
    return complete
  }

  private mutating func combined() -> RangingSnapshot {
    let snapshots = constraints.compactMap { round[$0] }
    round = [:]
    guard let time = snapshots.map(\.time).max() else { return RangingSnapshot(time: .never, beacons: []) }
    let beacons = snapshots.flatMap(\.beacons).map { (record: $0, distance: BeaconReport($0).distance ?? .infinity) }
    let sorted = beacons.enumerated().sorted { first, second in
      let (a, b) = (first.element.distance, second.element.distance)
      return a != b ? a < b : first.offset < second.offset
    }
    return RangingSnapshot(time: time, beacons: sorted.map(\.element.record))
  }
}
