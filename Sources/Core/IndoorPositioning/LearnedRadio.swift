/// The sums from which an adapter's offsets follow, by the identities of transmitters, stored over restarts.
public struct LearnedRadio: Hashable, Sendable {
  /// The sums of one transmitter.
  public struct Transmitter: Hashable, Sendable {
    /// The planned place, power and configured offset of the transmitter, as text. The sums are wrong for any other.
    public var plan: String
    /// Five sums over the seconds in which the transmitter was heard while the receiver walked.
    public var sums: [Double]

    public init(plan: String, sums: [Double]) {
      (self.plan, self.sums) = (plan, sums)
    }
  }

  public var transmitters: [String: Transmitter]
  /// The seconds of walking from which something was learned.
  public var seconds: Int
  /// Whether the configured level did not fit the venue, so that it was learned like that of an unknown adapter.
  public var isDistrusted: Bool

  public init(transmitters: [String: Transmitter] = [:], seconds: Int = 0, isDistrusted: Bool = false) {
    (self.transmitters, self.seconds, self.isDistrusted) = (transmitters, seconds, isDistrusted)
  }
}

extension RoomModel {
  /// Returns the planned place and power of a transmitter with its configured offset, if there is one, as text.
  ///
  /// Sums and evidence about a transmitter are wrong as soon as this text differs.
  func plan(of transmitter: Int) -> String {
    let (place, power) = (places[transmitter], transmitters[transmitter].power)
    let offset = transmitters[transmitter].offset
    return "\(levels[place.level].ordinal) \(place.x) \(place.y) \(place.z) \(power)" + (offset == 0 ? "" : " \(offset)")
  }
}
