import FleetMessages

/// A delivery with everything that can be parsed from it alone.
struct IngestMessage {
  /// The content that a row can keep of a message that the database refused.
  enum Fault {
    /// The database would refuse the text of the event, for this reason.
    case invalid(String)
    /// The database refused the rows of the message, for this reason.
    case refused(String)
    /// The database also refused to set the message aside, so it is only counted.
    case unwritable
  }

  var delivery: QueueMessage
  /// The sender; nil if the routing key does not belong to this queue.
  var address: DeviceAddress?
  /// The message, or its fault.
  var content: Result<FleetMessage, FleetMessageError>
  var fault: Fault?

  init(_ delivery: QueueMessage, from address: DeviceAddress?) {
    (self.delivery, self.address) = (delivery, address)
    do throws(FleetMessageError) {
      let message = try FleetMessage(delivery.body)
      content = .success(message)
      if case .event(let json) = message.body { fault = EventText.fault(of: json).map(Fault.invalid) }
    } catch {
      content = .failure(error)
    }
  }

  /// Notes that a transaction with only this message failed. Returns false if no way to store the message is left.
  mutating func note(_ error: RejectedData) -> Bool {
    switch fault {
    case nil, .invalid?: fault = .refused(error.description)
    case .refused?: fault = .unwritable
    case .unwritable?: return false
    }
    return true
  }

  /// The text to set aside if the message is refused; nil if its count says enough.
  ///
  /// Octets that are not a message, a report and a digest are set aside without their content: an erasure of a tag could not find it there.
  /// The octets of an event of another version contain its JSON.
  func textToSetAside(_ reason: Refusal.Reason) -> (octets: [UInt8], message: FleetMessage?)? {
    if reason == .copy { return nil }
    if case .unwritable? = fault { return nil }
    switch content {
    case .failure(.unknownVersion) where FleetMessage.isEvent(delivery.body): return (delivery.body, nil)
    case .failure: return ([], nil)
    case .success(let message):
      if case .event(let json) = message.body { return (Array(json.utf8), message) }
      return reason == .rejected ? ([], message) : nil
    }
  }
}
