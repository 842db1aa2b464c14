extension Event.Kind {
  /// Whether events of this kind are about a fleet. No device reports them.
  public var isOfFleet: Bool { self == .alert || self == .alertEnded }
}

extension Event {
  /// The kinds of problems of a fleet, by the text of the key `alert`.
  public enum Alert: String, CaseIterable, Sendable {
    /// A device sends nothing, although others of its site do.
    case deviceSilent = "device-silent"
    /// Devices of a site have never sent anything, although they were expected.
    case neverConnected = "never-connected"
    /// No device of a site sends anything, although other sites do.
    case siteSilent = "site-silent"
    /// No device of the fleet sends anything.
    case fleetSilent = "fleet-silent"
    /// A beacon with a name is not heard, although the device that heard it last works.
    case beaconMissing = "beacon-missing"
    /// A device hears none of the beacons that it heard last.
    case deviceDeaf = "device-deaf"
    /// The disk of a device, or of a machine of the hub, is nearly full.
    case diskLow = "disk-low"
    /// The clock of a device is wrong.
    case clockWrong = "clock-wrong"
    /// Two devices appear to use one identity.
    case identityCloned = "identity-cloned"
    /// Events of a device were refused within the last day.
    case messagesRefused = "messages-refused"
    /// The certificate of a device ends soon.
    case certificateEnding = "certificate-ending"
    /// Messages wait at the broker, and more arrive than are stored.
    case backlog
    /// No worker stores the messages of the fleet.
    case workerMissing = "worker-missing"
  }
}
