/// The learned reception of one beacon of a venue by one adapter.
public struct LearnedReception: Hashable, Sendable {
  /// The adapter, by its number in sightings.
  public let adapter: UInt16
  /// The dB by which the beacon is received louder than path loss predicts.
  public let offset: Double
  /// The path loss of the venue.
  public let model: PathLossModel
  /// The power in dBm at 1 m that the venue states for the beacon; `nil` for the advertised one.
  public let referencePower: Double?

  public init(adapter: UInt16, offset: Double, model: PathLossModel, referencePower: Double?) {
    (self.adapter, self.offset, self.model, self.referencePower) = (adapter, offset, model, referencePower)
  }
}
