import Glibc

/// Whether systemd runs this process as a service: then rights, devices and networks are the unit's to give.
public enum ServiceUnit {
  /// `SYSTEMD_EXEC_PID` is the number of the process that a unit has started, and what that starts inherits the variable (systemd.exec(5)).
  public static func isThisProcess(environment: [String: String] = ChildCommand.ownEnvironment()) -> Bool {
    environment["SYSTEMD_EXEC_PID"] == "\(getpid())"
  }

  /// False where sockets of IP are forbidden, as with `RestrictAddressFamilies=` of a unit.
  public static var hasNetwork: Bool {
    let probe = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard probe < 0 else {
      close(probe)
      return true
    }
    return errno != EAFNOSUPPORT
  }
}
