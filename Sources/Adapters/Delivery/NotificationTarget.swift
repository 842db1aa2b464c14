import Deliveries
import EventActions

/// Shows a desktop notification for each event. One that cannot be shown now is of no use later.
public final class NotificationTarget: DeliveryTarget {
  private let desktop: Desktop
  private let title: Template
  private let body: Template

  public init(on desktop: Desktop, title: Template, body: Template) {
    self.desktop = desktop
    self.title = title
    self.body = body
  }

  public func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    desktop.notify(title: title.text(for: delivery.event), body: body.text(for: delivery.event)) { failure in
      completion(failure.map { .refused("not shown: \($0)") } ?? .delivered)
    }
  }
}
