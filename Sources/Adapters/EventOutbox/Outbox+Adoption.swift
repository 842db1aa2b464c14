import Events
import Instants
import Notification
import SQLite

// MARK: The deliveries of another outbox

extension Outbox {
  /// Returns the events with waiting deliveries, in order.
  public func queuedEvents(after id: Int64, limit: Int) throws(DatabaseError) -> [QueuedEvent] {
    let clock = clock
    return try statements.events(after: id, limit: limit).map { (row) throws(DatabaseError) in
      QueuedEvent(
        id: row.id, row.event, waited: row.queued < .zero ? .zero : max(.zero, clock - row.queued), age: row.age,
        targets: try statements.targets(of: row.id))
    }
  }

  /// Takes over the waiting deliveries of another outbox, in their order and in one commit. The places stay.
  ///
  /// - Parameter isHandled: whether the other outbox has accepted an event.
  public func adopt(from other: any EventOutbox, isHandled: (Event) -> Bool) throws {
    try database.transaction { () throws(DatabaseError) in
      try forEachEvent(of: self) { (queued) throws(DatabaseError) in
        if isHandled(queued.event) { for target in queued.targets { try statements.remove(target, queued.id) } }
      }
      try forEachEvent(of: other) { (queued) throws(DatabaseError) in
        guard let place = queued.event.place else { return }
        let id = try statements.insert(queued.event, at: place, queued: clock - queued.waited, age: queued.age)
        for target in queued.targets { try statements.insertDelivery(target, of: id) }
      }
      try statements.setClock(clock)
    }
  }

  private func forEachEvent(of outbox: any EventOutbox, _ body: (QueuedEvent) throws(DatabaseError) -> Void) throws(DatabaseError) {
    var last: Int64 = 0
    while true {
      let page: [QueuedEvent]
      do { page = try outbox.queuedEvents(after: last, limit: 500) } catch {
        throw error as? DatabaseError ?? DatabaseError(.disk, path: database.path, message: "\(error)")
      }
      guard let end = page.last else { return }
      for event in page { try body(event) }
      last = end.id
    }
  }
}
