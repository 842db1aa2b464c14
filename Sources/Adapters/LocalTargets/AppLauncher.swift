import DBus
import EventLoop
import Glibc
import Instants
import Venues

/// Launches apps and pages in the user's session, without a shell.
///
/// An app that the bus can start is activated there. For other desktop files, `gio launch` or `gtk-launch` reads the Exec line. Pages are
/// opened by the desktop portal, or by `xdg-open`.
public final class AppLauncher {
  /// The time for a program that only starts another one.
  private static let timeout = Span.seconds(30)

  private let loop: Loop
  private let desktop: Desktop
  private let environment: [String: String]
  /// The programs that are starting an app.
  private var running: [Int: ChildProcess] = [:]
  private var lastRun = 0

  /// - Parameter environment: provides PATH, HOME and the folders of the XDG Base Directory Specification.
  public init(_ loop: Loop, on desktop: Desktop, environment: [String: String] = ChildCommand.ownEnvironment()) {
    self.loop = loop
    self.desktop = desktop
    self.environment = environment
  }

  /// Returns whether an app is installed.
  ///
  /// Only the bus knows whether it can start an app without a desktop file, so each name on the bus counts.
  func isInstalled(_ launch: VenueLaunch) -> Bool {
    switch launch {
    case .page, .busName: true
    case .desktopFile(let id): DesktopEntry(id, environment) != nil
    }
  }

  func launch(_ launch: VenueLaunch, venue: String, token: String?, completion: @escaping (String?) -> Void) {
    switch launch {
    case .busName(let name, let action): activate(name, action, venue, token, completion)
    case .desktopFile(let id):
      guard let entry = DesktopEntry(id, environment) else {
        return loop.enqueue { completion("it is not installed") }
      }
      guard entry.isBusActivatable, VenueLaunch.isBusName(id) else { return start(entry, token, completion) }
      activate(id, nil, venue, token) { [weak self] failure in
        if failure == nil { completion(nil) } else { self?.start(entry, token, completion) }
      }
    case .page(let address): open(address, token, completion)
    }
  }

  // MARK: Bus

  /// Activates an app as in "D-Bus Activation" of the Desktop Entry Specification 1.5.
  private func activate(_ name: String, _ action: String?, _ venue: String, _ token: String?, _ completion: @escaping (String?) -> Void) {
    let platform = DBusValue.options(token.map { [("activation-token", .string($0)), ("desktop-startup-id", .string($0))] } ?? [])
    let arguments: [DBusValue] =
      action.map { [.string($0), .array(of: "v", [.variant(.string(venue))]), platform] } ?? [platform]
    desktop.call(
      to: name, ApplicationTarget.path(of: name), "org.freedesktop.Application", action == nil ? "Activate" : "ActivateAction", arguments
    ) { answer in
      switch answer {
      case .success: completion(nil)
      case .failure(let error): completion(error.isStandard("ServiceUnknown") ? "it is not installed" : "\(error)")
      }
    }
  }

  private func open(_ address: String, _ token: String?, _ completion: @escaping (String?) -> Void) {
    desktop.call(
      to: "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI", "OpenURI",
      [.string(""), .string(address), .options(token.map { [("activation_token", .string($0))] } ?? [])]
    ) { [weak self] answer in
      switch answer {
      case .success: completion(nil)
      case .failure: self?.run([["xdg-open", address]], token, "no portal and no xdg-open is installed", completion)
      }
    }
  }

  // MARK: Programs

  private func start(_ entry: DesktopEntry, _ token: String?, _ completion: @escaping (String?) -> Void) {
    run(
      [["gio", "launch", entry.path], ["gtk-launch", "\(entry.id).desktop"]], token,
      "neither gio nor gtk-launch is installed; install libglib2.0-bin", completion)
  }

  /// Runs the first of the commands whose program is installed.
  private func run(_ commands: [[String]], _ token: String?, _ absence: String, _ completion: @escaping (String?) -> Void) {
    guard let command = commands.first(where: { isInPath($0[0]) }) else { return loop.enqueue { completion(absence) } }
    var environment = environment
    if let token { (environment["XDG_ACTIVATION_TOKEN"], environment["DESKTOP_STARTUP_ID"]) = (token, token) }
    lastRun += 1
    let number = lastRun
    do throws(SystemCallError) {
      running[number] = try ChildProcess(
        loop: loop, command: ChildCommand(detached(command, token), environment: environment, timeout: Self.timeout)
      ) { [weak self] result in
        guard let self else { return }
        // Released later, because the callback of the child still uses it.
        let ended = running.removeValue(forKey: number)
        loop.enqueue { _ = ended }
        completion(result.outcome == .exited(0) ? nil : "\(command[0]): \(result.output.text.isEmpty ? "it failed" : result.output.text)")
      }
    } catch {
      loop.enqueue { completion("\(error)") }
    }
  }

  /// Returns the command so that the app outlives its launcher, and in a service also this program.
  private func detached(_ command: [String], _ token: String?) -> [String] {
    guard environment["INVOCATION_ID"] != nil, isInPath("systemd-run") else {
      return isInPath("setsid") ? ["setsid", "--wait"] + command : command
    }
    let variables = token.map { ["--setenv=XDG_ACTIVATION_TOKEN=\($0)", "--setenv=DESKTOP_STARTUP_ID=\($0)"] } ?? []
    // The unit lasts until the app ends, and not only until its launcher ends.
    return ["systemd-run", "--user", "--quiet", "--collect", "--property=ExitType=cgroup"] + variables + ["--"] + command
  }

  private func isInPath(_ program: String) -> Bool {
    (environment["PATH"] ?? "").split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }
}

/// A desktop file, as far as a launch needs it.
struct DesktopEntry {
  private static let most = 1 << 18

  let id: String
  let path: String
  /// Whether the session bus can start the app.
  let isBusActivatable: Bool

  /// Finds the desktop file of an app; nil if there is none, or one that hides the app.
  init?(_ id: String, _ environment: [String: String]) {
    guard VenueLaunch.isDesktopFileID(id) else { return nil }
    func value(_ name: String, else other: String) -> String { environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? other }
    let own = value("XDG_DATA_HOME", else: "\(environment["HOME"] ?? "")/.local/share")
    let shared = value("XDG_DATA_DIRS", else: "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
    for folder in [own] + shared {
      let path = "\(folder)/applications/\(id).desktop"
      // The file may be in a later folder; without a readable one, the app counts as not installed.
      guard let octets = try? FileContent.octets(of: path, limit: Self.most) else { continue }
      let keys = Self.keys(String(decoding: octets, as: UTF8.self))
      guard keys["Hidden"] != "true" else { return nil }
      (self.id, self.path, isBusActivatable) = (id, path, keys["DBusActivatable"] == "true")
      return
    }
    return nil
  }

  /// Returns the keys of the group `[Desktop Entry]`.
  private static func keys(_ text: String) -> [String: String] {
    var keys: [String: String] = [:]
    var isInGroup = false
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") {
        isInGroup = line == "[Desktop Entry]"
      } else if isInGroup, let sign = line.firstIndex(of: "=") {
        let key = line[..<sign].filter { $0 != " " }
        keys[String(key)] = String(line[line.index(after: sign)...].drop { $0 == " " })
      }
    }
    return keys
  }
}
