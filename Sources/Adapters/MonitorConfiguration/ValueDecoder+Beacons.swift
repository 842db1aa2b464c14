import Beacons
import ConfigurationTree
import EventActions
import Publishing

extension ValueDecoder where Value == BeaconPublishing.Selection? {
  /// `true` for the beacons of the regions, `false` for none, or a list of beacons.
  static var beaconSelection: ValueDecoder {
    ValueDecoder(.either([.flag, .list(.map(keys: "^(uuid|major|minor|name)$", .any), count: 0...64)])) { node throws(DecodingIssue) in
      switch node.value {
      case .flag(let isOn): return isOn ? .regions : nil
      case .list(let nodes):
        guard nodes.count <= 64 else { throw DecodingIssue("has \(nodes.count) beacons; at most 64 are allowed") }
        var beacons: [BeaconPublishing.ListedBeacon] = []
        for node in nodes {
          do throws(DecodingIssue) {
            let beacon = try listedBeacon(node)
            guard !beacons.contains(where: { $0.identity == beacon.identity }) else {
              throw DecodingIssue("contains \(beacon.identity) twice; remove one")
            }
            beacons.append(beacon)
          } catch {
            throw DecodingIssue(error.message, at: error.position ?? node.position)
          }
        }
        // The notifier ranges them in one session, and the daemon takes as many UUIDs of a session.
        let count = Set(beacons.map(\.identity.uuid)).count
        guard count <= 16 else { throw DecodingIssue("has beacons of \(count) UUIDs; at most 16 are allowed") }
        return .listed(beacons)
      default: throw .needs("true, false or a list such as [\(Self.example)]", not: node)
      }
    }
  }

  private static var example: String { #"{ name = "Keys", uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d", major = 1, minor = 5 }"# }

  private static func listedBeacon(_ node: ConfigurationNode) throws(DecodingIssue) -> BeaconPublishing.ListedBeacon {
    guard case .table(let table) = node.value else { throw .needs("a table such as \(example)", not: node) }
    if let key = table.keys.sorted().first(where: { !["name", "uuid", "major", "minor"].contains($0) }) {
      throw DecodingIssue("there is no key \(key.quoted) of a beacon; the keys are name, uuid, major, minor", at: table[key]?.position)
    }
    guard let uuid = table["uuid"], let major = table["major"], let minor = table["minor"] else {
      throw DecodingIssue("requires uuid, major and minor of each beacon, such as \(example)")
    }
    let identity = BeaconIdentity(
      uuid: try ValueDecoder<BeaconUUID>.uuid.decode(uuid), major: try ValueDecoder<UInt16>.short.decode(major),
      minor: try ValueDecoder<UInt16>.short.decode(minor))
    let name = try table["name"].map { (node) throws(DecodingIssue) in
      try ValueDecoder<String>.name(of: "beacon", example: "Keys").decode(node)
    }
    return BeaconPublishing.ListedBeacon(identity, name: name)
  }
}

extension ValueDecoder where Value == Set<BeaconEntity> {
  /// The kinds of entities of a beacon.
  static var beaconEntities: ValueDecoder {
    ValueDecoder(.list(.choice(BeaconEntity.allCases.map(\.rawValue)))) { node throws(DecodingIssue) in
      let names = BeaconEntity.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      let entity = ValueDecoder<BeaconEntity> { node throws(DecodingIssue) in
        let text = try ValueDecoder<String>.text(example: "distance").decode(node)
        guard let entity = BeaconEntity(rawValue: text) else {
          throw DecodingIssue("\(text.quoted) is not an entity; use some of \(names)")
        }
        return entity
      }
      return Set(try ValueDecoder<[BeaconEntity]>.list(of: entity, example: "[\(names)]").decode(node))
    }
  }
}

extension ValueDecoder where Value == String {
  /// One level of a topic.
  static var topicLevel: ValueDecoder {
    ValueDecoder(ValueDecoder.topic.form()) { node throws(DecodingIssue) in
      let text = try ValueDecoder.topic.decode(node)
      guard !text.contains("/") else { throw DecodingIssue("\(text.quoted) contains a slash; write a name such as \"kitchen\"") }
      return text
    }
  }
}
