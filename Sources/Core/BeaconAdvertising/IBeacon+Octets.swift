extension IBeacon {
  /// Apple's company identifier (Assigned Numbers, 7.1).
  public static let company: UInt16 = 0x004C

  public init(identity: BeaconIdentity, measuredPower: Int8) {
    self.identity = identity
    self.measuredPower = measuredPower
  }

  /// The octets after the company in the manufacturer specific data.
  /// These are `02 15`, UUID, major, minor and measured power, 23 octets.
  public var payload: [UInt8] {
    func octets(_ value: some FixedWidthInteger) -> [UInt8] {
      stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    return [0x02, Self.payloadLength] + octets(identity.uuid.high) + octets(identity.uuid.low) + octets(identity.major)
      + octets(identity.minor) + [UInt8(bitPattern: measuredPower)]
  }
}
