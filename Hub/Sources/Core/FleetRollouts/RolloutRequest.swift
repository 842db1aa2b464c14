public import FleetMessages

/// A signed rollout as an operator starts it, with its envelope decoded.
///
/// The hub has no key, so that it cannot tell whether a signature is valid. The devices do.
public struct RolloutRequest: Hashable, Sendable {
  public let octets: [UInt8]
  public let rollout: Rollout

  /// Decodes the content of a `.rollout` file.
  public init(_ octets: [UInt8]) throws(FleetMessageError) {
    rollout = try Rollout(try SignedRollout(octets).envelope)
    self.octets = octets
  }

  /// The names of the sites in the audience.
  public var sites: Set<String> {
    Set(
      rollout.audience.map {
        switch $0 {
        case .site(let site): site
        case .device(let device): device.site
        }
      })
  }
}
