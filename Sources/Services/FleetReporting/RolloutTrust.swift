import FleetMessages

extension RolloutService {
  /// The author of rollouts that the configuration trusts, and this device in the fleet.
  public struct Trust: Hashable, Sendable {
    let key: [UInt8]
    let address: FleetAddress

    public init(key: [UInt8], address: FleetAddress) {
      (self.key, self.address) = (key, address)
    }
  }
}

extension SignedRollout {
  /// The content; nil if the octets cannot be read.
  var rollout: Rollout? {
    do throws(FleetMessageError) { return try Rollout(envelope) } catch { return nil }
  }

  /// Decodes the payload of a message of the hub without verifying its signature.
  static func decode(_ payload: [UInt8]) throws(RolloutRefusal) -> (SignedRollout, Rollout) {
    do throws(FleetMessageError) {
      let signed = try SignedRollout(payload)
      return (signed, try Rollout(signed.envelope))
    } catch {
      throw RolloutRefusal("the rollout cannot be read: \(error)")
    }
  }
}
