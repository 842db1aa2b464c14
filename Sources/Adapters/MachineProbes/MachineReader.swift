import Diagnosis
import EventLoop
import Glibc
import Instants

/// Reads the facts about a machine that are in its files, each within a time limit.
public struct MachineReader: Sendable {
  private let files: MachineFiles
  private let limit: Span

  public init(_ files: MachineFiles, limit: Span = .seconds(2)) {
    (self.files, self.limit) = (files, limit)
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (MachineFiles) throws(TimedProbe.Failure) -> Value
  ) -> Probed<Value> {
    TimedProbe.run(limit) { [files] () throws(TimedProbe.Failure) in try body(files) }
  }

  public func kernel() -> Probed<String> {
    read { (files) throws(TimedProbe.Failure) in
      guard let release = files.line("/proc/sys/kernel/osrelease") else { throw TimedProbe.Failure("/proc is not mounted") }
      return release
    }
  }

  /// The names in /proc that are not numbers do not matter.
  private static func processes(_ files: MachineFiles) throws(TimedProbe.Failure) -> [String] {
    let numbers = files.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }
    // With the option hidepid of proc(5), a user sees only its own processes.
    guard numbers.contains("1") else { throw TimedProbe.Failure("/proc hides the processes of other users; run this as root") }
    return numbers.compactMap { files.line("/proc/\($0)/comm") }
  }

  /// The programs that usually scan while they run.
  private static let scanners: Set = ["bluetoothctl", "btmgmt", "hcitool", "bluewalker", "blueman-manager", "bettercap", "kismet"]

  public func scanningPrograms() -> Probed<[String]> {
    read { (files) throws(TimedProbe.Failure) in Set(try Self.processes(files)).intersection(Self.scanners).sorted() }
  }

  public func isNotifierRunning() -> Probed<Bool> {
    // The kernel keeps 15 octets of a name.
    read { (files) throws(TimedProbe.Failure) in try Self.processes(files).contains("beaconmon-notif") }
  }

  /// The folders in which administrators find programs.
  private static let programFolders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]

  /// Returns the programs of a list that are not installed.
  public func missing(_ programs: [String]) -> Set<String> {
    let found: Probed<Set<String>> = read { files in
      Set(programs.filter { program in !Self.programFolders.contains { files.exists("\($0)/\(program)") } })
    }
    return found.value ?? []
  }

  /// Returns whether this user may not read a config or one of its drop-ins, because of their modes.
  ///
  /// - Parameter path: the path of the config itself, also with another root folder.
  public func isForbidden(config path: String) -> Bool {
    let found: Probed<Bool> = read { _ in
      let files = MachineFiles()
      let folder = Folder.parent(of: path) + "conf.d"
      let dropIns = files.names(in: folder).filter { $0.hasSuffix(".toml") }.map { "\(folder)/\($0)" }
      return ([path, folder] + dropIns).contains { access($0, R_OK) != 0 && errno == EACCES }
    }
    return found.value ?? false
  }

  /// Returns whether a path, also one with another root folder, does not exist.
  public func isAbsent(_ path: String) -> Bool {
    let found: Probed<Bool> = read { _ in access(path, F_OK) != 0 && errno == ENOENT }
    return found.value ?? false
  }

  /// Returns the arguments of a process, without the program.
  public func arguments(of process: UInt32) -> [String]? {
    let text: Probed<String> = read { (files) throws(TimedProbe.Failure) in
      do throws(SystemCallError) { return try files.text("/proc/\(process)/cmdline", limit: 4096) } catch {
        throw TimedProbe.Failure("\(error)")
      }
    }
    guard let text = text.value, !text.isEmpty else { return nil }
    return text.split(separator: "\0").dropFirst().map(String.init)
  }

  /// Returns the effective capabilities of a process as bits, proc(5).
  public func capabilities(of process: UInt32) -> Probed<UInt64?> {
    read { (files) throws(TimedProbe.Failure) in
      do throws(SystemCallError) {
        let lines = try files.text("/proc/\(process)/status").split(separator: "\n")
        let value = lines.first { $0.hasPrefix("CapEff:") }?.dropFirst(7).filter { !$0.isWhitespace }
        guard let bits = value.flatMap({ UInt64($0, radix: 16) }) else { throw SystemCallError(call: "read", code: EINVAL) }
        return bits
      } catch {
        throw TimedProbe.Failure("\(error)")
      }
    }
  }

  public func firmwareMessages() -> Probed<[String]> {
    read { (files) throws(TimedProbe.Failure) in
      do throws(SystemCallError) {
        // A record is "6,339,5140900,-;text", kmsg(4).
        return try files.kernelLog().filter(Self.isFirmwareFailure).map { record in
          String(record.split(separator: ";", maxSplits: 1).last ?? record)
        }
      } catch {
        guard error.code == EPERM || error.code == EACCES else { throw TimedProbe.Failure("\(error)") }
        throw TimedProbe.Failure("only root may read the log of the kernel; run this with sudo")
      }
    }
  }

  private static func isFirmwareFailure(_ line: Substring) -> Bool {
    guard line.contains("Bluetooth: hci") else { return false }
    let text = line.lowercased()
    return (text.contains("firmware") || text.contains("patch")) && (text.contains("fail") || text.contains("not found"))
  }

  // MARK: - Users and disk

  public func user(_ process: UserIdentity = .ofProcess) -> Probed<UserFacts> {
    read { files in
      let name = files.fields(of: "/etc/passwd") { $0.count > 2 && $0[2] == "\(process.user)" }?.first ?? "\(process.user)"
      let group = files.fields(of: "/etc/group") { $0.first == "beaconmon" }
      let number = group.flatMap { $0.count > 2 ? UInt32($0[2]) : nil }
      let members = group.flatMap { $0.count > 3 ? $0[3].split(separator: ",").map(String.init) : nil } ?? []
      return UserFacts(
        name: name, isRoot: process.user == 0, isInsider: number.map(process.groups.contains) ?? false, isListed: members.contains(name))
    }
  }

  /// Returns the facts about the folder of events.
  ///
  /// - Parameter owner: the name of the user that writes there; nil for this one.
  public func disk(_ folder: String, owner: String?) -> Probed<DiskFacts> {
    read { (files) throws(TimedProbe.Failure) in
      let path = files.path(folder)
      var status = stat()
      guard stat(path, &status) == 0 else {
        let error = SystemCallError.last("stat", folder)
        guard error.code == ENOENT else { throw TimedProbe.Failure("\(error)") }
        return DiskFacts(folder: folder, space: nil)
      }
      let system: FileSystemSpace
      do throws(SystemCallError) { system = try FileSystemSpace(of: path) } catch {
        throw TimedProbe.Failure("\(SystemCallError(call: error.call, subject: folder, code: error.code))")
      }
      let number = owner.map { files.user(named: $0) } ?? geteuid()
      return DiskFacts(
        folder: folder,
        space: DiskFacts.Space(
          freeOctets: system.freeOctets, freeInodes: system.freeFiles, isReadOnly: system.isReadOnly,
          isOwned: number.map { $0 == status.st_uid },
          isWritable: owner.map { files.mayWrite($0, status) } ?? (access(path, W_OK | X_OK) == 0)))
    }
  }

  /// Whether a policy of the bus for the daemon is installed.
  public func hasBusPolicy() -> Bool {
    let found: Probed<Bool> = read { files in
      ["/usr/share", "/etc"].contains { files.exists("\($0)/dbus-1/system.d/org.beaconmon.Monitor1.conf") }
    }
    return found.value ?? true
  }
}

/// The user and the groups of a process.
public struct UserIdentity: Sendable {
  public let user: UInt32
  public let groups: [UInt32]

  public init(user: UInt32, groups: [UInt32]) {
    (self.user, self.groups) = (user, groups)
  }

  public static var ofProcess: UserIdentity {
    var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
    let count = Int(getgroups(Int32(groups.count), &groups))
    return UserIdentity(user: geteuid(), groups: Array(groups.prefix(max(0, count))) + [getegid()])
  }
}

extension MachineFiles {
  /// Returns the number of a user; nil if there is no such user.
  fileprivate func user(named name: String) -> UInt32? {
    fields(of: "/etc/passwd") { $0.first == name }.flatMap { $0.count > 2 ? UInt32($0[2]) : nil }
  }

  /// Returns whether the mode of a folder lets a user write there; nil if there is no such user.
  fileprivate func mayWrite(_ name: String, _ status: stat) -> Bool? {
    guard let user = fields(of: "/etc/passwd", { $0.first == name }), user.count > 3 else { return nil }
    if user[2] == "0" { return true }
    if user[2] == "\(status.st_uid)" { return status.st_mode & S_IWUSR != 0 }
    let isMember = fields(of: "/etc/group") { group in
      group.count > 3 && group[2] == "\(status.st_gid)" && group[3].split(separator: ",").contains { $0 == name }
    }
    return status.st_mode & (user[3] == "\(status.st_gid)" || isMember != nil ? S_IWGRP : S_IWOTH) != 0
  }

  /// Returns the fields of the first line of a file such as passwd(5) that fits.
  fileprivate func fields(of path: String, _ fits: ([String]) -> Bool) -> [String]? {
    do throws(SystemCallError) {
      return try text(path, limit: 1 << 20).split(separator: "\n").lazy
        .map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }.first(where: fits)
    } catch {
      return nil
    }
  }
}
