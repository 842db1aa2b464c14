import BeaconAdvertising
import EventLoop
import Glibc
import Simulation

extension ConfigurationDocument {
  /// Returns the references of the configuration that cannot work on this machine, each with its remedy, by line.
  ///
  /// Checks as the user of this process and with its environment: missing files, programs without permission to run, secrets that others
  /// can read, unknown users, a journal that cannot be written, and files of the configuration that cannot be read.
  ///
  /// - Parameters:
  ///   - services: The programs whose part of the configuration is checked.
  ///   - environment: Provides `PATH` and `CREDENTIALS_DIRECTORY`.
  public func machineWarnings(for services: Set<ConfiguredService>, environment: [String: String]) -> [ConfigurationProblem] {
    let check = MachineCheck(environment: environment)
    let warnings = references.filter { services.contains($0.service) }.compactMap { reference in
      check.obstacle(to: reference.target).map { problem(reference.line, "\(reference.place): \($0)") }
    }
    return inOrder(files.compactMap(check.unreadable(configuration:)) + warnings)
  }
}

/// Checks whether the references of a configuration exist and may be used.
struct MachineCheck {
  private let path: String
  private let credentials: String?
  /// The folders with the data of installed programs.
  private let dataFolders: [String]
  /// The folder of the file that has the references, with a slash at its end.
  private let folder: String
  private let user = UserName.ofProcess

  /// - Parameters:
  ///   - environment: Provides the variables that name folders.
  ///   - folder: The folder of a venue file, with a slash at its end; empty for the current one.
  init(environment: [String: String], folder: String = "") {
    (path, credentials) = (environment["PATH"] ?? "", environment["CREDENTIALS_DIRECTORY"])
    self.folder = folder
    // XDG Base Directory Specification 0.8.
    func value(_ name: String, else other: String) -> String { environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? other }
    let own = value("XDG_DATA_HOME", else: "\(environment["HOME"] ?? "")/.local/share")
    dataFolders = [own] + value("XDG_DATA_DIRS", else: "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
  }

  /// Returns the problem with a reference; nil if there is none.
  func obstacle(to target: MachineReference.Target) -> String? {
    switch target {
    case .capture("-"), .recordedTrack("-"), .scenario("-"): nil
    case .capture(let path): unreadable(path) ?? contentError(ofCapture: path)
    case .scenario(let path): unreadable(path) ?? contentError(ofScenario: path)
    case .recordedTrack(let path), .sensorRecording(let path), .certificates(let path): unreadable(path)
    case .journal(let path): unusable(journal: path)
    case .program(let program): program.contains("/") ? unusable(program: program) : missing(program: program)
    case .secretFile(let path): unreadable(path) ?? exposed(secret: path)
    case .credential(let name): missing(credential: name)
    case .serialDevice(let path): unusable(device: path)
    case .venueFile(let path): unreadable(folder + path, remedy: "check the path")
    case .application(let id): missing(application: id)
    case .busService(let name): missing(service: name)
    case .socket(let path, let service): unusable(socket: path, of: service)
    case .port(let service): SystemdUnit.hidesPorts(of: service) ? SystemdUnit.portAdvice : nil
    case .user(let name):
      UserName.exists(user: name) ? nil : "there is no user \(name.quoted); add the user, or correct the name"
    case .group(let name):
      UserName.exists(group: name) ? nil : "there is no group \(name.quoted); add the group, or correct the name"
    }
  }

  // MARK: Files

  /// Returns the problem with a file of the configuration, which another user has read; nil if there is none.
  func unreadable(configuration path: String) -> ConfigurationProblem? {
    // A missing file was optional.
    guard path != "-", access(path, F_OK) == 0 || errno == EACCES, !mayAccess(path, R_OK) else { return nil }
    return ConfigurationProblem(file: path, line: nil, column: nil, message: "\(user) may not read this file; let that user read it")
  }

  /// - Parameter remedy: The advice about a missing file; nil for a file whose path may be absolute.
  private func unreadable(_ path: String, remedy: String? = nil) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return absent(path, "file", remedy: remedy) }
    if status.isFolder { return "\(path) is a folder; specify a file in it" }
    return mayAccess(path, R_OK) ? nil : "\(user) may not read \(path); let that user read it"
  }

  private func absent(_ path: String, _ thing: String, remedy: String? = nil) -> String {
    if errno == EACCES { return "\(user) may not enter the folder of \(path); let that user enter it" }
    if let remedy { return "there is no \(thing) \(path); \(remedy)" }
    return "there is no \(thing) \(path)" + (path.hasPrefix("/") ? "; check the path" : " in the current folder; write an absolute path")
  }

  private func contentError(ofCapture path: String) -> String? {
    // Reading a FIFO or a device would wait for its writer and lose its content.
    guard let beginning = beginning(of: path) else { return nil }
    var decoder = CaptureDecoder()
    var sightings: [Sighting] = []
    do throws(CaptureError) {
      try decoder.decode(beginning.span.bytes, into: &sightings)
      if beginning.isEmpty { throw .empty }
      return nil
    } catch {
      return "\(path): \(error)"
    }
  }

  private func beginning(of path: String) -> [UInt8]? {
    var status = stat()
    guard stat(path, &status) == 0, status.isFile else { return nil }
    // A file that cannot be read is another problem, which `unreadable` reports.
    return try? FileContent.octets(of: path, limit: 4096)
  }

  private func contentError(ofScenario path: String) -> String? {
    do throws(ConfigurationError) {
      _ = try Scenario.read(file: path)
      return nil
    } catch {
      guard case .invalid(let problems) = error, let first = problems.first else { return "\(error)" }
      return "the scenario is invalid: \(first)" + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
    }
  }

  private func exposed(secret path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o007 != 0, isWithinReach(path) else { return nil }
    return "every user of this machine can read the secret in \(path); run \"chmod o= \(path)\""
  }

  /// Returns whether every user may enter the folders above the file.
  private func isWithinReach(_ path: String) -> Bool {
    var folder = path[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      var status = stat()
      if !folder.isEmpty, stat(String(folder), &status) == 0, status.st_mode & S_IXOTH == 0 { return false }
    }
    return true
  }

  private func missing(credential name: String) -> String? {
    // Only a unit has credentials, so this check works only inside one.
    guard let credentials, unreadable("\(credentials)/\(name)") != nil else { return nil }
    return "the unit has no credential \(name.quoted); add LoadCredential=\(name):FILE to it"
  }

  // MARK: Programs

  private func unusable(program path: String) -> String? {
    var status = stat()
    // A program in another user's sandbox may be invisible here.
    guard stat(path, &status) == 0 else { return errno == EACCES ? nil : "there is no program \(path); install it, or correct the path" }
    if status.isFolder { return "\(path) is a folder; specify a program in it" }
    return status.st_mode & 0o111 != 0 ? nil : "\(path) is not executable; run \"chmod +x \(path)\""
  }

  private func missing(program name: String) -> String? {
    let folders = path.split(separator: ":")
    guard !folders.isEmpty, !folders.contains(where: { unusable(program: "\($0)/\(name)") == nil }) else { return nil }
    return "no program \(name.quoted) is in PATH (\(path)); install it, or write its absolute path"
  }

  // MARK: Apps

  private static let appAdvice = "install it, or correct the name; visitors without it are offered the url, if there is one"

  private func missing(application id: String) -> String? {
    guard !hasData("applications/\(id).desktop") else { return nil }
    return "no app \("\(id).desktop".quoted) is installed here; \(Self.appAdvice)"
  }

  private func missing(service name: String) -> String? {
    guard !hasData("dbus-1/services/\(name).service"), !hasData("applications/\(name).desktop") else { return nil }
    return "no app \(name.quoted) is installed here; \(Self.appAdvice)"
  }

  private func hasData(_ name: String) -> Bool {
    var status = stat()
    return dataFolders.contains { stat("\($0)/\(name)", &status) == 0 && status.isFile }
  }

  // MARK: Journal and devices

  private func unusable(journal path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
    var status = stat()
    guard stat(folder, &status) == 0 else {
      return errno == EACCES
        ? absent(path, "file") : "the folder \(folder) is missing, so events would be kept in memory only; create it for \(user)"
    }
    guard status.isFolder else { return "\(folder) is not a folder; specify a file in a folder" }
    // SQLite creates further files beside the journal.
    guard mayAccess(folder, W_OK | X_OK) else { return unwritable(folder) }
    guard stat(path, &status) == 0 else { return nil }
    guard status.isFile else { return "\(path) is not a file; specify another path, or remove it" }
    return mayAccess(path, R_OK | W_OK) ? nil : unwritable(path)
  }

  private func unusable(socket path: String, of service: ConfiguredService) -> String? {
    let folder = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
    var status = stat()
    guard stat(folder, &status) == 0 else {
      // The unit makes its folder when it starts.
      if errno == EACCES || folder == SystemdUnit.runtimeFolder(of: service) { return nil }
      return "the folder \(folder) is missing; create it for \(user), or use \(SystemdUnit.runtimeFolder(of: service))"
    }
    guard status.isFolder else { return "\(folder) is not a folder; specify a file in a folder" }
    guard mayAccess(folder, W_OK | X_OK) else {
      return "\(user) may not make a socket in \(folder); use \(SystemdUnit.runtimeFolder(of: service)), or let that user write it"
    }
    guard stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFSOCK ? nil : "\(path) is not a socket; remove it, or specify another path"
  }

  private func unwritable(_ path: String) -> String {
    errno == EROFS
      ? "\(path) is read-only, so events would be kept in memory only; for a service, add ReadWritePaths= in a drop-in of its unit"
      : "\(user) may not write \(path), so events would be kept in memory only; let that user write it"
  }

  private func unusable(device path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == EACCES
        ? absent(path, "device")
        : "there is no device \(path); plug it in, or check the path; a service also requires the drop-in location.conf"
    }
    return mayAccess(path, R_OK) ? nil : "\(user) may not read \(path); add that user to the group of the device, which is usually dialout"
  }

  private func mayAccess(_ path: String, _ mode: Int32) -> Bool { faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 }
}

extension stat {
  fileprivate var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  fileprivate var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}
