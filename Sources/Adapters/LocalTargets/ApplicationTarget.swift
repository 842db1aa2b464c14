import DBus
import DeliveryScheduling
import Events

/// Wakes an application at each event, as in "D-Bus Activation" of the Desktop Entry Specification 1.5.
///
/// The session bus starts the application if it does not run.
public final class ApplicationTarget: DeliveryTarget {
  /// The name of the action of the application, which has one parameter, the event.
  public static let action = "region-event"

  private let desktop: Desktop
  private let id: String
  private let message: (Event) -> DBusValue

  /// - Parameters:
  ///   - id: the name of the desktop file of the application, which is a D-Bus name.
  ///   - message: returns an event as `a{sv}`.
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
      ) { answer in
        completion(answer.failure.map { Self.outcome($0) } ?? .delivered)
      })
  }

  /// Returns the object path of an application: that of `org.example.My-Guide` is `/org/example/My_Guide`.
  static func path(of id: String) -> String {
    "/" + String(id.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 })
  }

  /// Returns the outcome of an error. A missing or slow application is retried; one without the action is not.
  private static func outcome(_ error: DBusError) -> DeliveryOutcome {
    let isForeign = ["UnknownMethod", "UnknownInterface", "UnknownObject", "InvalidArgs"].contains { error.isStandard($0) }
    return isForeign ? .refused("not woken: \(error)") : .failed("not woken: \(error)")
  }
}
