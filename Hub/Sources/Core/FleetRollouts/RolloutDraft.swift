public import FleetMessages

/// A rollout whose author has not signed it yet.
///
/// It is within the limits of devices, so that nothing is signed that no device can take.
public struct RolloutDraft: Hashable, Sendable {
  public let rollout: Rollout

  /// - Parameters:
  ///   - revision: The number; nil for the seconds since 1970.
  ///   - created: Milliseconds since 1970.
  ///   - audience: The names of sites and devices.
  ///   - dropIn: The octets of the drop-in.
  ///   - name: The name of the drop-in in errors.
  public init(
    revision: Int64?, created: Int64, audience: [String], dropIn: [UInt8], named name: String, venues: [RolloutVenue]
  ) throws(RolloutDraftError) {
    var entries: [RolloutAudience] = []
    for text in audience {
      guard let entry = RolloutAudience(text) else {
        throw RolloutDraftError("\"\(text)\" is neither a site nor a device; write SITE or SITE.DEVICE, such as berlin or berlin.door")
      }
      entries.append(entry)
    }
    guard let text = String(validating: dropIn, as: UTF8.self) else {
      throw RolloutDraftError("\(name) is not UTF-8; save the file as UTF-8")
    }
    rollout = Rollout(revision: revision ?? created / 1000, created: created, audience: entries, dropIn: text, venues: venues)
    guard rollout.revision >= 1, rollout.revision <= 1 << 53 else { throw RolloutDraftError("--revision is from 1 to 2^53") }
    guard entries.count <= Rollout.mostAudience else {
      throw RolloutDraftError("--to may occur at most \(Rollout.mostAudience) times; use sites")
    }
    guard venues.count <= Rollout.mostVenues else {
      throw RolloutDraftError("--venue may occur at most \(Rollout.mostVenues) times; use several rollouts")
    }
  }

  /// Returns the name and the file of a venue, such as of `shop=shop.toml`.
  public static func venue(_ text: String) throws(RolloutDraftError) -> (name: String, file: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, FleetAddress.isName(parts[0]) else {
      throw RolloutDraftError(
        "--venue \"\(text)\": write NAME=FILE, such as shop=shop.toml; a name has 1 to 32 characters of a-z, 0-9 and \"-\", and does not "
          + "begin with a hyphen")
    }
    return (parts[0], parts[1])
  }

  /// Returns the octets of a signed rollout, which a device can read.
  ///
  /// Throws `RolloutDraftError` if they are too many, or the error of a reader.
  public static func octets(of signed: SignedRollout) throws -> [UInt8] {
    let octets = signed.octets
    guard octets.count <= HubMessage.maximumPayloadSize else {
      throw RolloutDraftError(
        "the rollout has \(octets.count) octets, and a message to a device at most \(HubMessage.maximumPayloadSize); remove regions or venues"
      )
    }
    // A reader checks every limit.
    _ = try RolloutRequest(octets)
    return octets
  }
}

/// The reason why a rollout cannot be signed, with the remedy.
public struct RolloutDraftError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
