/// The access of a client to the location of the device, in the terms of Core Location.
public enum Authorization: String, Hashable, Sendable, CaseIterable {
  /// No decision yet.
  case notDetermined
  case denied
  /// Access for as long as the client's session lives.
  case whenInUse
  /// Access, including for regions that outlive the client's session.
  case always

  public func covers(_ wanted: Use) -> Bool {
    switch self {
    case .notDetermined, .denied: false
    case .whenInUse: wanted == .whenInUse
    case .always: true
    }
  }
}

/// The access that a client requests.
public enum Use: String, Hashable, Sendable {
  case whenInUse
  case always
}
