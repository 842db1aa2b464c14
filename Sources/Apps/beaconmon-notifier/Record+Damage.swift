import Records

extension Record {
  /// What the log says in place of a delivery; nil for an event.
  var damageNotice: String? {
    damagedEvents.map { "\($0) of journal \(self["journal"]?.text ?? "") cannot be told any more and will not be delivered" }
  }
}
