import ArgumentParser
import BrokerDefinitions
import Glibc
import ProgramSettings

/// The settings of this machine: variables of the environment, and below them a file.
private enum MachineSettings {
  /// A readable file has less than this size.
  private static let mostOctets = 65_536

  static var file: String { variable("BEACONMON_HUB_SETTINGS") ?? "/etc/beaconmon-hub/hub.conf" }

  /// Reads the file. Returns no settings, with the reason, if there is none or if this user may not read it.
  static func read() throws -> (settings: ProgramSettings, absence: Int32?) {
    guard let stream = fopen(file, "re") else {
      let absence = errno
      guard [ENOENT, ENOTDIR, EACCES].contains(absence) else { throw ValidationError("\(file): \(String(cString: strerror(absence)))") }
      return (ProgramSettings(), absence)
    }
    defer { fclose(stream) }
    var octets = [UInt8](repeating: 0, count: mostOctets)
    octets.removeLast(mostOctets - fread(&octets, 1, mostOctets, stream))
    guard ferror(stream) == 0 else { throw ValidationError("\(file) cannot be read; it has to be a file") }
    guard octets.count < mostOctets, let text = String(validating: octets, as: UTF8.self) else {
      throw ValidationError("\(file) is not a text of less than \(mostOctets) octets; compare it with /usr/share/beaconmon-hub/hub.conf")
    }
    do { return (try ProgramSettings(text: text, name: file), nil) } catch { throw ValidationError("\(error)") }
  }
}

/// Returns the value of a setting; nil if neither the environment nor the file sets it.
func setting(_ key: ProgramSettings.Key) throws -> String? {
  if let value = variable(key.rawValue) { return value }
  return try MachineSettings.read().settings[key]
}

/// Returns the password of the broker, which has no option because every user of the machine can see options.
func brokerPassword() throws -> HubPassword {
  let key = ProgramSettings.Key.brokerPassword
  guard let text = try setting(key) else { throw missing("the password of the broker", key, nil) }
  do { return try HubPassword(text) } catch { throw ValidationError("\(key.rawValue): \(error)") }
}

/// Returns the error of a setting that is required and not set.
func missing(_ name: String, _ key: ProgramSettings.Key, _ option: String?) -> ValidationError {
  let isReadable = (try? MachineSettings.read().absence) != EACCES
  return ValidationError("\(MissingSetting(name, key, option: option, file: MachineSettings.file, isReadable: isReadable))")
}

/// Throws if a file cannot be read, with the remedy.
///
/// - Parameter advice: the remedy if the file does not exist
func requireReadable(_ path: String, or advice: String) throws {
  guard access(path, R_OK) != 0 else { return }
  let reason = errno
  throw ValidationError(
    "\(path) cannot be read: \(String(cString: strerror(reason))); "
      + (reason == EACCES ? "the services need \"chgrp beaconmon-hub\" and \"chmod 640\" for it, and for its folder 750" : advice))
}

/// Returns the beginning of a file as text, at most 64 KiB; nil if it cannot be read.
func text(ofFile path: String) -> String? {
  guard let stream = fopen(path, "re") else { return nil }
  defer { fclose(stream) }
  var octets = [UInt8](repeating: 0, count: 65_536)
  return String(validating: octets.prefix(fread(&octets, 1, octets.count, stream)), as: UTF8.self)
}

/// Returns the value of an environment variable; nil if it is not set or empty.
func variable(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
