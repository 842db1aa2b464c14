import ConfigurationTree
import DeliveryScheduling
import EventActions
import Instants
import Publishing

/// Reads a target from a `[[notifier.target]]`, or from the `[[notifier.action]]` that defines it.
enum TargetReader {
  /// The keys of all kinds of targets.
  static let kinds = ["command", "notification", "log", "webhook", "mqtt"]

  /// Returns the target's means; nil if there is none, or a problem was reported.
  static func means(_ table: inout TableReader) -> Target.Means? {
    let command = table.read("command", as: .command)
    if let program = command?.first { table.refer("command", to: .program(program)) }
    let timeout = table.read("timeout", as: .duration(.milliseconds(100)...(.seconds(3600))))
    let notification = table.table("notification").flatMap(notification)
    let log = table.read("log", as: .template)
    let webhook = table.table("webhook").flatMap(webhook)
    let mqtt = table.table("mqtt").flatMap(mqtt)
    if table.has("timeout") && !table.has("command") { table.report("timeout", "is only for a command; remove it") }
    return command.map { .command($0, timeout: timeout ?? Target.defaultTimeout) } ?? notification ?? log.map { .log($0) } ?? webhook
      ?? mqtt
  }

  static func policy(_ table: inout TableReader, _ standard: DeliveryPolicy) -> DeliveryPolicy {
    var policy = standard
    if let span = table.read("give-up", as: .duration(.seconds(60)...(.seconds(30 * 86_400)))) { policy.giveUp = span }
    if let span = table.read("max-age", as: .duration(.seconds(1)...(.seconds(30 * 86_400)))) { policy.maximumAge = span }
    policy.perMinute = table.read("per-minute", as: .integer(1...60_000))
    return policy
  }

  /// Reports a table without a target, or with several.
  ///
  /// - Parameter other: Another key that selects targets.
  static func checkCount(_ table: TableReader, besides other: String?) {
    let possible = [other].compactMap(\.self) + kinds
    let present = possible.filter(table.has)
    switch present.count {
    case 0: table.report(nil, "has no effect; add a \(possible.dropLast().joined(separator: ", a ")) or an mqtt")
    case 1:
      if other != nil, present == [other] {
        for key in ["name", "give-up", "max-age", "per-minute"] where table.has(key) {
          table.report(key, "is a key of the target; move it to its [[notifier.target]]")
        }
      }
    default:
      table.report(
        present[1], "cannot be combined with \(present[0]); write one [[notifier.\(other == nil ? "target" : "action")]] for each")
    }
  }

  private static func notification(_ table: consuming TableReader) -> Target.Means? {
    let title = table.require("title", as: .template)
    let body = table.read("body", as: .template)
    table.finish()
    return title.map { .notification(title: $0, body: body ?? .empty) }
  }

  private static func webhook(_ table: consuming TableReader) -> Target.Means? {
    let url = table.require("url", as: .url)
    let secret = table.read("secret", as: .secretPlace)
    let headers = table.read("headers", as: .headers)
    let certificates = table.read("ca-file", as: .absolutePath)
    let timeout = table.read(
      "timeout", as: .duration(.seconds(1)...(.seconds(120))), default: .text(WebhookSettings.defaultTimeout.text))
    if case .secret(let place) = url { table.refer("url", to: .secret(at: place)) }
    if let secret { table.refer("secret", to: .secret(at: secret)) }
    for case .secret(let place) in (headers ?? []).map(\.value) { table.refer("headers", to: .secret(at: place)) }
    if let certificates { table.refer("ca-file", to: .certificates(certificates)) }
    table.finish()
    return url.map {
      .webhook(
        WebhookSettings(
          url: $0, headers: headers ?? [], secret: secret, certificates: certificates, timeout: timeout ?? WebhookSettings.defaultTimeout))
    }
  }

  private static func mqtt(_ table: consuming TableReader) -> Target.Means? {
    let host = table.require("host", as: .host)
    let port = table.read("port", as: .integer(1...65_535))
    let isEncrypted = table.read("tls", as: .flag, default: .flag(false))
    let certificates = table.read("ca-file", as: .absolutePath)
    let username = table.read("username", as: .text(example: "beaconmon"))
    let password = table.read("password", as: .secretPlace)
    let topic = table.read("topic", as: .topic)
    let discovery = table.read("discovery", as: .topic)
    let beacons = beacons(&table)
    let publishesLocation = table.read("location", as: .flag)
    if certificates != nil, isEncrypted != true { table.report("ca-file", "is only for TLS; add tls = true") }
    if password != nil, username == nil { table.report("password", "requires username") }
    if let password { table.refer("password", to: .secret(at: password)) }
    if let certificates { table.refer("ca-file", to: .certificates(certificates)) }
    table.finish()
    return host.map {
      .mqtt(
        BrokerSettings(
          host: $0, port: port, isEncrypted: isEncrypted ?? false, certificates: certificates, username: username, password: password,
          topic: topic, discovery: discovery, beacons: beacons, publishesLocation: publishesLocation ?? false))
    }
  }

  private static func beacons(_ table: inout TableReader) -> BeaconPublishing? {
    let selection = table.read("beacons", as: .beaconSelection)
    let entities = table.read("beacon-entities", as: .beaconEntities)
    let awayAfter = table.read("away-after", as: .duration(.seconds(10)...(.seconds(86_400))))
    let room = table.read("room", as: .topicLevel)
    let roomTopic = table.read("room-topic", as: .topic)
    let isOff = if case .some(.none) = selection { true } else { false }
    for key in ["beacon-entities", "away-after", "room"] where table.has(key) && (isOff || !table.has("beacons")) {
      table.report(key, "requires beacons; add beacons = true, or a list of beacons")
    }
    if roomTopic != nil, !table.has("room") { table.report("room-topic", "requires room, the name of the room of this device") }
    guard let selection = selection ?? nil else { return nil }
    return BeaconPublishing(
      selection, entities: entities ?? Set(BeaconEntity.allCases), awayAfter: awayAfter ?? BeaconPublishing.defaultAwayAfter, room: room,
      roomTopic: roomTopic ?? BeaconPublishing.defaultRoomTopic)
  }
}

extension MachineReference.Target {
  static func secret(at place: SecretPlace) -> Self {
    switch place {
    case .file(let path): .secretFile(path)
    case .credential(let name): .credential(name)
    }
  }
}
