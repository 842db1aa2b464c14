import Glibc

/// Looks up names of passwd(5) and group(5).
enum UserName {
  /// The user of this process for a message: `user beaconmon`.
  static var ofProcess: String {
    // No other thread of a program that checks a configuration looks up users.
    getpwuid(geteuid()).map { "user \(String(cString: $0.pointee.pw_name))" } ?? "user \(geteuid())"
  }

  static func exists(user name: String) -> Bool { UInt32(name) != nil || getpwnam(name) != nil }
  static func exists(group name: String) -> Bool { UInt32(name) != nil || getgrnam(name) != nil }
}
