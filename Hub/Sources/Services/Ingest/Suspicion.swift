/// Finds the message that makes a transaction fail, so that it does not block its queue.
///
/// After the database has refused a value of a batch, each message of the batch gets a transaction of its own. The message that fails again is
/// refused.
public struct Suspicion: Sendable {
  private struct Fingerprint: Hashable {
    var routingKey: String
    var body: [UInt8]

    init(_ delivery: Delivery) { (routingKey, body) = (delivery.routingKey, delivery.body) }
  }

  private var suspects: Set<Fingerprint> = []
  private var faults: [Fingerprint: String] = [:]

  public init() {}

  /// Whether the message needs a transaction of its own.
  func isSuspect(_ delivery: Delivery) -> Bool { !suspects.isEmpty && suspects.contains(Fingerprint(delivery)) }

  /// The reason for which the database refuses the message; nil if it does not.
  func fault(of delivery: Delivery) -> String? { faults.isEmpty ? nil : faults[Fingerprint(delivery)] }

  /// Notes that the transaction of these messages failed.
  mutating func note(_ error: RejectedData, for deliveries: [Delivery]) {
    if deliveries.count == 1 {
      suspects.remove(Fingerprint(deliveries[0]))
      faults[Fingerprint(deliveries[0])] = error.description
    } else {
      suspects.formUnion(deliveries.map(Fingerprint.init))
    }
  }

  /// Forgets messages that are acknowledged.
  mutating func forget(_ deliveries: [Delivery]) {
    guard !suspects.isEmpty || !faults.isEmpty else { return }
    for fingerprint in deliveries.map(Fingerprint.init) {
      suspects.remove(fingerprint)
      faults[fingerprint] = nil
    }
  }
}
