import CSystemd
import Glibc
import Numerals

/// The identity of this machine.
public enum DeviceIdentity {
  /// An id of 32 hexadecimal digits that is the same after every start; nil on a machine without a machine-id.
  /// It is derived from the machine-id but does not reveal it (sd_id128_get_machine_app_specific(3)).
  public static var id: String? {
    // A random id, made for this package.
    let application = sd_id128_t(
      bytes: (0x5e, 0x0a, 0x1c, 0x7d, 0x93, 0x42, 0x4b, 0x61, 0xa8, 0x37, 0xd2, 0x0f, 0x6b, 0xc4, 0x19, 0xee))
    var id = sd_id128_t()
    guard sd_id128_get_machine_app_specific(application, &id) >= 0 else { return nil }
    return withUnsafeBytes(of: id.bytes) { Hexadecimal.digits(of: $0) }
  }

  /// The name that gethostname(2) returns.
  public static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
