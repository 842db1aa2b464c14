import DBus

/// The one that GeoClue asks whether a program of this user may know where the device is.
///
/// GeoClue 2.6 serves nobody whose user has none, and beaconmond's own user has no desktop that brings one. Whether somebody may know where the
/// device is, beaconmond decides by its own rules; so this agent lets beaconmond through, and nobody else.
final class GeoClueAgent {
  /// GeoClue lets those register that its configuration names, and it names this one wherever it is installed. An agent answers for programs of
  /// its own user alone.
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
