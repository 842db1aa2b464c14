import FoundationEssentials
import Synchronization

/// The last event of each of a monitor's conditions, kept with and without a consumer.
final class MonitorRecords: SessionEventReader {
  private struct Entry {
    let identifier: String
    var record: Monitor.Record
  }

  private let entries = Mutex<[Entry]>([])
  private let session: ServiceSession

  init(_ session: ServiceSession) {
    self.session = session
    _ = session.add(self)
  }

  deinit {
    session.remove(ObjectIdentifier(self))
  }

  var identifiers: [String] { entries.withLock { $0.map(\.identifier) } }

  func record(_ identifier: String) -> Monitor.Record? {
    entries.withLock { $0.first { $0.identifier == identifier }?.record }
  }

  func add(_ condition: any Condition, _ identifier: String, _ state: Monitor.Event.State) {
    let assumed = Monitor.Event(identifier: identifier, state: state, date: Date(), refinement: nil, error: nil)
    let entry = Entry(identifier: identifier, record: Monitor.Record(condition: condition, lastEvent: assumed))
    entries.withLock { entries in
      if let index = entries.firstIndex(where: { $0.identifier == identifier }) {
        entries[index] = entry
      } else {
        entries.append(entry)
      }
    }
  }

  func remove(_ identifier: String) {
    entries.withLock { $0.removeAll { $0.identifier == identifier } }
  }

  func refuse(_ identifier: String, _ error: LocationError) {
    note(Monitor.Event(identifier: identifier, state: .unmonitored, date: Date(), refinement: nil, error: error))
  }

  func take(_ event: SessionEvent) {
    if let event = Monitor.Event(event) { note(event) }
  }

  private func note(_ event: Monitor.Event) {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.identifier == event.identifier }) else { return }
      entries[index].record = Monitor.Record(condition: entries[index].record.condition, lastEvent: event)
    }
  }
}
