import Glibc
public import ProgramSettings

/// The settings of this machine: variables of the environment, and below them a file.
public struct MachineSettings {
  /// A readable file has less than this size.
  private static let mostOctets = 65_536

  public let file: String
  private let environment: (String) -> String?

  /// - Parameter environment: Returns the value of a variable; nil if it is not set or empty. The default reads this process.
  public init(environment: @escaping (String) -> String? = MachineSettings.variable) {
    file = environment("BEACONMON_HUB_SETTINGS") ?? "/etc/beaconmon-hub/hub.conf"
    self.environment = environment
  }

  /// Returns the value of a setting; nil if neither the environment nor the file sets it.
  ///
  /// Throws if the environment does not set it and the file has an error.
  public subscript(key: ProgramSettings.Key) -> String? {
    get throws {
      if let value = environment(key.rawValue) { return value }
      return try read().settings[key]
    }
  }

  /// Returns the error of a setting that is required and not set.
  ///
  /// - Parameters:
  ///   - name: The setting in words.
  ///   - option: The option in place of the setting; nil if there is none.
  public func missing(_ name: String, _ key: ProgramSettings.Key, option: String?) -> MissingSetting {
    MissingSetting(name, key, option: option, file: file, isReadable: (try? read().absence) != EACCES)
  }

  /// Reads the file. Returns no settings, with the reason, if there is none or if this user may not read it.
  private func read() throws -> (settings: ProgramSettings, absence: Int32?) {
    guard let stream = fopen(file, "re") else {
      let absence = errno
      guard [ENOENT, ENOTDIR, EACCES].contains(absence) else { throw LocalFileError(failedCall: file, code: absence) }
      return (ProgramSettings(), absence)
    }
    defer { fclose(stream) }
    var octets = [UInt8](repeating: 0, count: Self.mostOctets)
    octets.removeLast(Self.mostOctets - fread(&octets, 1, Self.mostOctets, stream))
    guard ferror(stream) == 0 else { throw LocalFileError("\(file) cannot be read; it has to be a file") }
    guard octets.count < Self.mostOctets, let text = String(validating: octets, as: UTF8.self) else {
      throw LocalFileError(
        "\(file) is not a text of less than \(Self.mostOctets) octets; compare it with /usr/share/beaconmon-hub/hub.conf")
    }
    do { return (try ProgramSettings(text: text, name: file), nil) } catch { throw LocalFileError("\(error)") }
  }

  /// Returns the value of an environment variable of this process; nil if it is not set or empty.
  public static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
