/// What a client may learn of where this device is, as Core Location names it.
public enum Authorization: String, Hashable, Sendable, CaseIterable {
  /// Nobody has decided.
  case notDetermined
  case denied
  /// For as long as its session lives.
  case whenInUse
  /// Also by regions that outlive its session.
  case always

  public func covers(_ wanted: Use) -> Bool {
    switch self {
    case .notDetermined, .denied: false
    case .whenInUse: wanted == .whenInUse
    case .always: true
    }
  }
}

/// What a client asks for.
public enum Use: String, Hashable, Sendable {
  case whenInUse
  case always
}
