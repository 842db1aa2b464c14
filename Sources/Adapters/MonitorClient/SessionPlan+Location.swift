import DBus
import Instants
import MonitorProtocol
import Records

// MARK: Where the device is

extension SessionPlan {
  /// - Parameter options: as `Session.StartUpdatingLocation` takes them; others take the place of the first.
  mutating func startLocating(_ options: Record) -> [Action] {
    if let index = index(.locating) {
      var isRefused = false
      if case .refused = items[index].step { isRefused = true }
      guard isRefused || items[index].details != options else { return [] }
      items[index].details = options
    } else {
      items.append(Item(wish: .locating, details: options))
    }
    return askToLocate { _ in true }
  }

  /// - Parameter location: as `Session.SetManualLocation` takes it; nil takes it back.
  mutating func setManualLocation(_ location: Record?) -> [Action] {
    guard location != manualLocation else { return [] }
    manualLocation = location
    guard phase == .open else { return [] }
    return [.setManualLocation(location ?? Record())] + askToLocate { _ in true }
  }

  /// The device can do something else from now on.
  mutating func capabilitiesChanged(_ capabilities: [String]) -> [Action] {
    guard phase == .open else { return [] }
    let isManual = manualLocation != nil
    let asks = askToLocate { $0 == .refused(byConsent: false) || isManual }
    return tell(capabilities) + asks
  }

  private mutating func askToLocate(if condition: (Item.Step) -> Bool) -> [Action] {
    guard phase == .open, let index = index(.locating), condition(items[index].step) else { return [] }
    return [ask(index)]
  }

  /// - Parameters:
  ///   - accuracy: as `Session.RequestLocation` takes it.
  ///   - now: the clock of `searches.nextDeadline`.
  mutating func search(_ number: UInt64, _ accuracy: RecordValue, timeout: Span, at now: Instant) -> [Action] {
    searches.want(RequestedLocation(number: number, accuracy: accuracy, deadline: now + timeout), isOpen: phase == .open)
  }

  mutating func cancelSearch(_ number: UInt64) -> [Action] { searches.cancel(number) }

  mutating func searchAnswered(_ number: UInt64, _ answer: Result<Record, DBusError>) -> [Action] {
    searches.answered(number, answer)
  }

  /// Nobody waits longer than he said, whether the daemon is there or not.
  mutating func advance(to now: Instant) -> [Action] { searches.advance(to: now, awayReason) }
}
