import Instants

/// A fault of the device, single or repeated.
public struct Fault: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// An adapter receives nothing.
    /// The engine learns of the outage after `noticedAfter`, and of its end at once.
    case outage(adapter: UInt16, noticedAfter: Span)
    /// The daemon restarts with a new engine; advertisements in the meantime are lost.
    case restart
    /// The position receiver has no fix; it reports this, or nothing at all if `isSilent`.
    case positionOutage(isSilent: Bool)
    /// The wall clock is set, which changes the timestamps of a capture.
    /// The engine's clock counts from boot and is unaffected.
    case clockStep(by: Span)
  }

  public let kind: Kind
  /// The time since the beginning.
  public let at: Span
  /// The duration; zero for a clock step.
  public let lasts: Span
  /// The time after which the fault repeats, longer than `lasts`; nil: it happens once.
  public let every: Span?

  public init(_ kind: Kind, at: Span, lasts: Span = .zero, every: Span? = nil) {
    self.kind = kind
    self.at = at
    self.lasts = lasts
    self.every = every
  }
}

/// A change in the course of a fault.
public enum FaultChange: Hashable, Sendable {
  case adapterOut(UInt16)
  /// The device has noticed that the adapter receives nothing.
  case outageNoticed(UInt16)
  case adapterBack(UInt16)
  case positionLost(isSilent: Bool)
  case positionBack(isSilent: Bool)
  case daemonEnds
  case daemonStarts
  case clockStep(by: Span)
}
