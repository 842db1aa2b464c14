import Events

/// The log lines that other programs can watch for; each has an id that is stable when its text changes.
public enum LogMessage: String, CaseIterable, Sendable {
  /// A log action wrote its line.
  case eventNoted = "1a1d7507a89243ef9e4686291fb17615"
  /// A command exited with 0.
  case commandDone = "24826793affd48b5ad140b1bfd671c35"
  /// A delivery failed and is retried.
  case deliveryFailed = "ebade663b4534e20b63d36d7e625718a"
  /// A delivery is a dead letter.
  case deliveryGivenUp = "d0c8edd9ee0f4076a87d0d571a972869"
  /// An event was too old for its target and was not delivered.
  case deliveryPassedOver = "1da70f7dbacf47429d8a255db8cc23f9"
  /// A changed configuration is in effect.
  case configurationRead = "7ac3cad6f558432d81370ef72f4abae0"
  /// A changed configuration was refused; the program keeps the previous one.
  case configurationRefused = "808beb8c8a9f401090b602ba3a5b0e26"
  /// The state of an adapter changed.
  case adapterChanged = "845402ff32474efdbf36fce157877eb2"
  /// A beacon of this machine is advertised, is pending, or cannot be advertised.
  case beaconAdvertised = "299cd138c494434e84c9f201456a8c45"
  /// An event was stored in the journal but not sent on the bus.
  case eventNotSent = "eda90fe1ab6147aba5c84c35a8d99aea"

  /// Returns the fields of a line of this kind for a region event.
  ///
  /// - Parameter adapter: the adapter that the line is about; nil: the adapter that the event's reason names, if any.
  public func fields(of event: Event? = nil, adapter: String? = nil) -> [String: String] {
    var fields = [LogField.messageID: rawValue]
    fields[.region] = event?.region
    fields[.event] = (event?.kind)?.rawValue
    fields[.sequence] = (event?.sequence).map { String($0) }
    fields[.adapter] = adapter ?? event?.reason.adapter
    return Dictionary(uniqueKeysWithValues: fields.map { ($0.key.rawValue, $0.value) })
  }
}

/// A field for searches in the systemd journal: `journalctl REGION=entrance` (systemd.journal-fields(7)).
public enum LogField: String, CaseIterable, Sendable {
  /// The id of the `LogMessage`.
  case messageID = "MESSAGE_ID"
  case region = "REGION"
  /// `enter`, `exit` and so on.
  case event = "EVENT"
  case sequence = "SEQUENCE"
  case adapter = "ADAPTER"
}
