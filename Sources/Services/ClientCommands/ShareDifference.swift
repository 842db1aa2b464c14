/// The difference between two lists of the shares with this device, for a command that prints each change.
public struct ShareDifference<Share: Hashable & Identifiable> {
  /// The shares that are new or have other values, in the order of the later list.
  public let changed: [Share]
  /// The shares that the later list lacks, in the order of the earlier one.
  public let ended: [Share]

  public init(from earlier: [Share], to later: [Share]) {
    let known = Set(earlier)
    changed = later.filter { !known.contains($0) }
    let present = Set(later.map(\.id))
    ended = earlier.filter { !present.contains($0.id) }
  }
}
