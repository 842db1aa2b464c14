import Beacons
import ConfigurationTree
import DeliveryScheduling
import EventActions
import FleetMessages
import Instants

/// Reads the target of `[notifier.hub]`.
enum HubReader {
  /// - Parameter beacons: the UUIDs of the config, for a table without `beacons`.
  static func target(_ table: consuming TableReader, beacons: [BeaconUUID]) -> Target? {
    let url = table.require("url", as: .hubAddress)
    let site = table.require("site", as: .fleetName(example: "berlin"))
    let device = table.require("device", as: .fleetName(example: "door"))
    let certificate = table.require("certificate", as: .absolutePath)
    let key = table.require("key", as: .secretPlace)
    let certificates = table.read("ca", as: .absolutePath)
    let interval = table.read("digests", as: .digestInterval, default: .text(HubSettings.defaultInterval.text))
    let listed = table.read("beacons", as: .hubBeacons)
    let rolloutKey = table.read("rollout-key", as: .rolloutKey)
    if let certificate { table.refer("certificate", to: .certificates(certificate)) }
    if let certificates { table.refer("ca", to: .certificates(certificates)) }
    if let key { table.refer("key", to: .secret(at: key)) }
    let found = Array(Set(beacons)).sorted()
    if listed == nil, found.count > ValueDecoder.mostHubBeacons, interval != .some(nil) {
      table.report("beacons", "the config has \(found.count) UUIDs; list at most \(ValueDecoder.mostHubBeacons) for the digests")
    }
    table.finish()
    guard let url, let site, let device, let certificate, let key else { return nil }
    guard let address = FleetAddress(site: site, device: device) else { return nil }
    return Target(
      hub: HubSettings(
        host: url.host, port: url.port, address: address, certificate: certificate, key: key, certificates: certificates,
        interval: interval ?? HubSettings.defaultInterval, beacons: listed ?? found, rolloutKey: rolloutKey))
  }
}

/// The host and the port of a hub.
struct HubHost {
  let host: String
  let port: Int
}

extension ValueDecoder where Value == HubHost {
  /// An address such as `mqtts://hub.example.org`, or with a port.
  static var hubAddress: ValueDecoder {
    let pattern = #"^mqtts://(\[[0-9A-Fa-f:.]+\]|[-._0-9A-Za-z]+)(:[0-9]{1,5})?/?$"#
    return ValueDecoder(.text(9...300, pattern: pattern)) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "mqtts://hub.example.org").decode(node)
      let scheme = "mqtts://"
      guard text.hasPrefix(scheme) else {
        throw DecodingIssue("\(text.quoted) is not the address of a hub; write one such as \"mqtts://hub.example.org\", always with TLS")
      }
      var rest = text.dropFirst(scheme.count)
      guard !rest.contains("@") else { throw DecodingIssue("contains a user; a device logs in with its certificate, so remove it") }
      if rest.hasSuffix("/") { rest = rest.dropLast() }
      var host = rest
      if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
        host = rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
      } else {
        host = rest.prefix { $0 != ":" }
        rest = rest[host.endIndex...]
      }
      var port = HubSettings.defaultPort
      if rest.hasPrefix(":") {
        guard let number = Int(rest.dropFirst()), (1...65_535).contains(number) else {
          throw DecodingIssue("\(text.quoted) has no valid port; write one from 1 to 65535, or none for \(HubSettings.defaultPort)")
        }
        port = number
        rest = ""
      }
      guard rest.isEmpty else { throw DecodingIssue("\(text.quoted) has a path; write only the host and the port") }
      return HubHost(host: try ValueDecoder<String>.host.decode(ConfigurationNode(.text(String(host)))), port: port)
    }
  }
}

extension ValueDecoder where Value == String {
  /// The name of a site or of a device.
  fileprivate static func fleetName(example: String) -> ValueDecoder {
    ValueDecoder(.text(1...32, pattern: "^[a-z0-9][-a-z0-9]*$")) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: example).decode(node)
      guard FleetAddress.isName(text) else {
        throw DecodingIssue("\(text.quoted) is not allowed; write 1 to 32 of a-z, 0-9 and \"-\", which does not come first")
      }
      return text
    }
  }
}

extension ValueDecoder where Value == [UInt8] {
  /// A public key of Ed25519 in base64.
  fileprivate static var rolloutKey: ValueDecoder {
    ValueDecoder(.text(43...44, pattern: "^[A-Za-z0-9+/]{43}=?$")) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "tFvNQYxVvFPfXDpVvnJBoZP1YQkGZ6aLcOTYIHCGw4c=").decode(node)
      guard let octets = Base64.octets(text), octets.count == SignedRollout.keySize else {
        throw DecodingIssue("\(text.quoted) is not a key; write the one that \"beaconmon-hub admin rollout key\" prints")
      }
      return octets
    }
  }
}

extension ValueDecoder where Value == Span? {
  /// A duration, or `off`.
  fileprivate static var digestInterval: ValueDecoder {
    let range = Span.seconds(1)...(.seconds(10))
    return ValueDecoder(.either([.duration(range), .choice(["off"])])) { node throws(DecodingIssue) in
      if case .text("off") = node.value { return nil }
      return try ValueDecoder<Span>.duration(range).decode(node)
    }
  }
}

extension ValueDecoder where Value == [BeaconUUID] {
  /// The number of UUIDs that a session of the daemon takes.
  fileprivate static var mostHubBeacons: Int { 16 }

  fileprivate static var hubBeacons: ValueDecoder {
    ValueDecoder(.list(.uuid, count: 0...mostHubBeacons)) { node throws(DecodingIssue) in
      let uuids = try ValueDecoder.list(of: .uuid, example: "[\"8ec76ea3-6668-48da-9866-75be8bc86f4d\"]").decode(node)
      guard uuids.count <= mostHubBeacons else { throw DecodingIssue("has \(uuids.count) UUIDs; at most \(mostHubBeacons) are allowed") }
      return uuids
    }
  }
}
