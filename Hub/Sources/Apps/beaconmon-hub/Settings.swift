import ArgumentParser
import BrokerDefinitions
import MachineFiles
import ProgramSettings

/// Returns the value of a setting; nil if neither the environment nor the file sets it.
func setting(_ key: ProgramSettings.Key) throws -> String? { try MachineSettings()[key] }

/// Returns the password of the broker, which has no option because every user of the machine can see options.
func brokerPassword() throws -> HubPassword {
  let key = ProgramSettings.Key.brokerPassword
  guard let text = try setting(key) else { throw missing("the password of the broker", key, nil) }
  do { return try HubPassword(text) } catch { throw ValidationError("\(key.rawValue): \(error)") }
}

/// Returns the error of a setting that is required and not set.
func missing(_ name: String, _ key: ProgramSettings.Key, _ option: String?) -> ValidationError {
  ValidationError("\(MachineSettings().missing(name, key, option: option))")
}
