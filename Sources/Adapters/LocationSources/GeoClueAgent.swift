import DBus

/// The agent that GeoClue asks whether a program of this user may learn the location.
///
/// GeoClue 2.6 serves only users with an agent, and the user of beaconmond has no desktop that provides one. beaconmond applies its own
/// rules to its
/// clients, so this agent permits beaconmond and no other program.
final class GeoClueAgent {
  /// The name with which the agent registers.
  ///
  /// GeoClue accepts the agents that its configuration names, and its default configuration names this one. An agent answers only for
  /// programs of its
  /// own user.
  static let name = "geoclue-demo-agent"

  private let tree: ObjectTree
  private var object: ExportedObject?

  init(_ connection: DBusConnection, desktopID: String) throws(DBusError) {
    tree = ObjectTree(connection: connection)
    let authorize = DBusMethod(
      "AuthorizeApp", in: [DBusArgument("desktop_id", "s"), DBusArgument("req_accuracy_level", "u")],
      out: [DBusArgument("authorized", "b"), DBusArgument("allowed_accuracy_level", "u")]
    ) { call in
      let isOurs = call.arguments.first?.string == desktopID
      return [.boolean(isOurs), call.arguments[1]]
    }
    let most = DBusProperty("MaxAccuracyLevel", "u", change: .constant) { .uint32(GeoClueLevel.exact.rawValue) }
    object = try tree.export(GeoClueName.agentPath, [DBusInterface(GeoClueName.agent, methods: [authorize], properties: [most])])
  }
}
