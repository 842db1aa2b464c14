import Consent
import ConsentService
import Glibc

/// The users and groups of the system: passwd(5), group(5), and the sources that nsswitch.conf(5) adds to them.
public struct UserDirectory: PersonDirectory {
  public init() {}

  public func groups(of user: UInt32) -> [UInt32] {
    Self.entry(of: user).map { Self.memberships(of: $0.name, primary: $0.group) } ?? []
  }

  public func userName(_ number: UInt32) -> String? { Self.entry(of: number)?.name }

  public func userNumber(_ name: String) -> UInt32? {
    if let number = UInt32(name) { return number }
    return Self.withBuffer { buffer, size in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      let code = getpwnam_r(name, &entry, buffer, size, &found)
      return (code, found.map { $0.pointee.pw_uid })
    }
  }

  public func groupNumber(_ name: String) -> UInt32? {
    if let number = UInt32(name) { return number }
    return Self.withBuffer { buffer, size in
      var entry = group()
      var found: UnsafeMutablePointer<group>?
      let code = getgrnam_r(name, &entry, buffer, size, &found)
      return (code, found.map { $0.pointee.gr_gid })
    }
  }

  public func groupName(_ number: UInt32) -> String? {
    Self.withBuffer { buffer, size in
      var entry = group()
      var found: UnsafeMutablePointer<group>?
      let code = getgrgid_r(number, &entry, buffer, size, &found)
      return (code, found.map { String(cString: $0.pointee.gr_name) })
    }
  }

  private static func entry(of number: UInt32) -> (name: String, group: UInt32)? {
    withBuffer { buffer, size in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      let code = getpwuid_r(number, &entry, buffer, size, &found)
      return (code, found.map { (String(cString: $0.pointee.pw_name), $0.pointee.pw_gid) })
    }
  }

  private static func memberships(of name: String, primary: UInt32) -> [UInt32] {
    var count: Int32 = 64
    while true {
      var groups = [gid_t](repeating: 0, count: Int(count))
      let capacity = count
      if getgrouplist(name, primary, &groups, &count) >= 0 { return Array(groups.prefix(Int(count))) }
      // getgrouplist returns the required count; if it does not grow, another call would not help.
      guard count > capacity else { return [primary] }
    }
  }

  /// Calls `body` with larger buffers while it returns ERANGE.
  private static func withBuffer<Value>(_ body: (UnsafeMutablePointer<CChar>, Int) -> (code: Int32, value: Value?)) -> Value? {
    var size = 1024
    while size <= 1 << 20 {
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { buffer.deallocate() }
      let (code, value) = body(buffer, size)
      guard code == ERANGE else { return value }
      size *= 4
    }
    return nil
  }
}
