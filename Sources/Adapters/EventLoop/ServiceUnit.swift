import Glibc

/// Determines whether systemd runs this process as a service, so that its unit grants rights, devices and networks.
public enum ServiceUnit {
  /// Returns whether `SYSTEMD_EXEC_PID` is the number of this process.
  /// systemd sets the variable to the process that a unit starts, and that process's children inherit it (systemd.exec(5)).
  public static func isThisProcess(environment: [String: String] = ChildCommand.ownEnvironment()) -> Bool {
    environment["SYSTEMD_EXEC_PID"] == "\(getpid())"
  }

  /// Whether IP sockets are allowed; `RestrictAddressFamilies=` of a unit forbids them.
  public static var hasNetwork: Bool {
    let probe = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard probe < 0 else {
      close(probe)
      return true
    }
    return errno != EAFNOSUPPORT
  }
}
