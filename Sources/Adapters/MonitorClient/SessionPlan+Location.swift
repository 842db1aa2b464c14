import DBus
import Instants
import Locations
import MonitorProtocol

// MARK: Location

extension SessionPlan {
  /// - Parameter options: they replace earlier ones.
  mutating func startLocating(_ options: LocationUpdateOptions) -> [Action] { startOnce(.locating(options)) }

  /// - Parameter location: nil withdraws it.
  mutating func setManualLocation(_ location: ManualLocation?) -> [Action] {
    guard location != manualLocation else { return [] }
    manualLocation = location
    guard phase == .open else { return [] }
    return [.setManualLocation(location)] + askToLocate { _ in true }
  }

  /// Takes over changed capabilities of the device, and repeats a location request that they may affect.
  mutating func capabilitiesChanged(_ capabilities: [String]) -> [Action] {
    guard phase == .open else { return [] }
    let isManual = manualLocation != nil
    let asks = askToLocate { $0 == .refused(.other) || isManual } + askForHeading() + askForGuidance()
    return report(capabilities) + asks
  }

  private mutating func askToLocate(if condition: (Item.Step) -> Bool) -> [Action] {
    guard phase == .open, let index = index(.locating), condition(items[index].step) else { return [] }
    return [ask(index)]
  }

  /// - Parameters:
  ///   - accuracy: one sigma in metres; zero requests the best available accuracy.
  ///   - now: the time on the clock of `searches.nextDeadline`.
  mutating func search(_ number: UInt64, _ accuracy: Double, timeout: Span, at now: Instant) -> [Action] {
    searches.want(RequestedLocation(number: number, accuracy: accuracy, deadline: now + timeout), isOpen: phase == .open)
  }

  mutating func cancelSearch(_ number: UInt64) -> [Action] { searches.cancel(number) }

  mutating func searchAnswered(_ number: UInt64, _ answer: Result<LocationReport, DBusError>) -> [Action] {
    searches.answered(number, answer)
  }

  /// Fails the searches that have timed out, with and without the daemon.
  mutating func advance(to now: Instant) -> [Action] { searches.advance(to: now, awayReason) }
}
