import Records

/// The regularity with which a beacon is received, as clients receive it.
/// A value is nil until enough gaps between advertisements are known.
public struct BeaconReception: RecordRepresentable, Hashable {
  /// The mean time between two advertisements that the beacon sends, in seconds, with the random delay of the standard.
  public var interval: Double?
  /// The share of these advertisements that were not received, from 0 to 1.
  public var loss: Double?

  public init() {}

  public init(interval: Double, loss: Double) {
    (self.interval, self.loss) = (interval, loss)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("interval", \.interval, decimals: 4),
    RecordField("loss", \.loss, decimals: 3),
  ]
}
