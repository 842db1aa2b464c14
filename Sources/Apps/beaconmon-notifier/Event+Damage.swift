import Events

extension Event {
  /// The log line in place of a delivery; nil unless the event is damaged.
  var damageNotice: String? {
    damagedEvents.map { "\($0) of journal \(journal ?? "") cannot be recovered and will not be delivered" }
  }
}
