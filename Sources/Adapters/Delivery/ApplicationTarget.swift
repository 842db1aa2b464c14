import DBus
import Deliveries
import Events

/// Wakes an application at each event: the Desktop Entry Specification 1.5, "D-Bus Activation". The session bus starts it where it does not run.
public final class ApplicationTarget: DeliveryTarget {
  /// What the application calls the action. It has one parameter, the event.
  public static let action = "region-event"

  private let desktop: Desktop
  private let id: String
  private let message: (Event) -> DBusValue

  /// - Parameters:
  ///   - id: as the application's desktop file is called, a D-Bus name.
  ///   - message: what the bus has of an event, `a{sv}`.
  public init(_ id: String, on desktop: Desktop, message: @escaping (Event) -> DBusValue) {
    self.id = id
    self.desktop = desktop
    self.message = message
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    desktop.make(
      Desktop.Call(
        destination: id, path: Self.path(of: id), interface: "org.freedesktop.Application", member: "ActivateAction",
        arguments: [
          .string(Self.action), .array(of: "v", [.variant(message(delivery.event))]), .options([]),
        ]
      ) { error in
        completion(error.map { Self.outcome($0) } ?? .delivered)
      })
  }

  /// `org.example.My-Guide` is at `/org/example/My_Guide`.
  static func path(of id: String) -> String {
    "/" + String(id.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 })
  }

  /// An application that is not there may be installed again, and one that is slow be faster; one that does not know the action will not learn it.
  private static func outcome(_ error: DBusError) -> DeliveryOutcome {
    let isForeign = ["UnknownMethod", "UnknownInterface", "UnknownObject", "InvalidArgs"].contains { error.isStandard($0) }
    return isForeign ? .refused("not woken: \(error)") : .failed("not woken: \(error)")
  }
}
