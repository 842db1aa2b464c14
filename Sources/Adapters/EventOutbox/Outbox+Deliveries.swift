import DeliveryScheduling
import EventLoop
import Events
import Instants
import SQLite

extension Outbox {
  /// The next deliveries of a target, in order.
  public func waiting(_ target: String, _ policy: DeliveryPolicy, after id: Int64, limit: Int) throws(DatabaseError) -> [Delivery] {
    let (now, clock) = (loop.now, clock)
    return try statements.waiting(target, after: id, limit: limit).map { row in
      // A time before the start of the clock or after now is damaged, so the delivery waits from now on.
      let waited = row.queued < .zero ? .zero : max(.zero, clock - row.queued)
      return Delivery(
        id: row.id, message: "\(device)-\(row.place.journal)-\(row.place.sequence)", event: row.event, json: row.json,
        deadline: now + policy.giveUp - waited, expiry: policy.maximumAge.map { now + $0 - (waited + max(.zero, row.age)) } ?? .never)
    }
  }

  /// Removes settled deliveries in one commit. Deliveries with a `reason` become dead letters.
  public func settle(_ settled: [(target: String, id: Int64, reason: String?)]) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      for (target, id, reason) in settled {
        if let reason { try statements.makeDeadLetters(target, id, reason, at: Self.wallClock) }
        try statements.remove(target, id)
      }
      for target in Set(settled.filter { $0.reason != nil }.map(\.target)) {
        try statements.trimDeadLetters(target, to: Self.mostDeadLetters)
      }
      try statements.setClock(clock)
    }
  }

  /// Turns the deliveries of removed targets into dead letters, and returns their number.
  public func makeDeadLetters(unless isTarget: (String) -> Bool) throws(DatabaseError) -> Int {
    let gone = try statements.targets().filter { !isTarget($0) }
    var count = 0
    for target in gone {
      while case let waiting = try statements.waiting(target, after: 0, limit: 500), !waiting.isEmpty {
        try settle(waiting.map { (target, $0.id, "the target is no longer in the configuration") })
        count += waiting.count
      }
    }
    return count
  }

  /// Returns the names of the targets with waiting deliveries.
  public func targets() throws(DatabaseError) -> [String] { try statements.targets() }

  /// Returns the number of waiting deliveries of each target.
  public func waitingCounts() throws(DatabaseError) -> [(target: String, count: Int)] { try statements.waitingCounts() }

  /// Returns the dead letters, the oldest first.
  public func deadLetters() throws(DatabaseError) -> [DeadLetter] { try statements.deadLetters() }
}
