extension BusClient {
  static let manager = "\(busName).Manager"
  static let session = "\(busName).Session"

  /// Opens a session of this client, and returns its path.
  func openSession(_ options: JSON = ["purpose": "a test"]) throws -> String {
    let reply = try call(Self.manager, "CreateSession", signature: "a{sv}", options)
    guard case .values(let values) = reply, let path = values.first?.text else { throw TimeoutError("no session but \(reply)") }
    return path
  }

  /// Ranges a constraint in a session.
  func range(_ constraint: JSON, on session: String) throws -> Reply {
    try call(Self.session, "StartRanging", at: session, signature: "a{sv}", constraint)
  }

  /// Monitors a region in a session.
  func monitor(_ region: JSON, on session: String) throws -> Reply {
    try call(Self.session, "StartMonitoring", at: session, signature: "a{sv}", region)
  }

  /// Waits for the next region event of a session of this client.
  func nextSessionEvent() throws -> Signal {
    try next("a session's event") { $0.name == "RegionEvent" && $0.interface == Self.session }
  }

  /// Waits for the next snapshot.
  func nextRanged() throws -> Ranged {
    let signal = try next("a snapshot") { $0.name == "Ranged" }
    return Ranged(constraint: signal.arguments[0], time: signal.arguments[1].number ?? 0, beacons: signal.arguments[2].list ?? [], signal)
  }

  struct Ranged {
    let constraint: JSON
    /// The time in microseconds since the Unix epoch.
    let time: Double
    let beacons: [JSON]
    let signal: Signal

    init(constraint: JSON, time: Double, beacons: [JSON], _ signal: Signal) {
      (self.constraint, self.time, self.beacons, self.signal) = (constraint, time, beacons, signal)
    }

    /// The minors in the snapshot's order.
    var minors: [Double] { beacons.compactMap { $0["minor"]?.number } }
  }
}
