import Instants
import Status

/// A fact that a probe has read, or the reason why it could not.
public enum Probed<Value: Sendable>: Sendable {
  case found(Value)
  case failed(String)

  /// The value; nil if it could not be read.
  public var value: Value? {
    if case .found(let value) = self { value } else { nil }
  }
}

/// The facts about a machine that a diagnosis judges.
public struct MachineFacts: Sendable {
  /// The release of the kernel, such as `6.1.0-28-amd64`.
  public var kernel = Probed<String>.failed("not read")
  public var radio = Probed<RadioFacts>.failed("not read")
  /// The lines of the kernel's log about Bluetooth firmware that failed to load.
  public var firmwareMessages = Probed<[String]>.failed("not read")
  public var bluetoothd = Probed<BluetoothdFacts>.failed("not read")
  /// The adapters as bluetoothd lists them; nil if it does not run.
  public var listedAdapters = Probed<[ListedAdapter]?>.failed("not read")
  /// The names of running programs that usually scan.
  public var scanningPrograms = Probed<[String]>.failed("not read")
  public var wireless = Probed<[WirelessFacts]>.failed("not read")
  public var clock = Probed<ClockFacts>.failed("not read")
  public var disk = Probed<DiskFacts>.failed("not read")
  public var user = Probed<UserFacts>.failed("not read")
  public var daemon = Probed<DaemonFacts>.failed("not read")
  /// The effective capabilities of the daemon, capabilities(7); nil if it does not run.
  public var daemonCapabilities = Probed<UInt64?>.failed("not read")
  public var config = Probed<ConfigFacts>.failed("not read")
  public var isNotifierRunning = Probed<Bool>.failed("not read")
  /// The hosts of the targets in the config.
  public var hosts: [HostFacts] = []
  /// The number of targets whose hosts were not tried, because there are too many.
  public var untriedHosts = 0
  /// The programs that a command of a finding may need and that this machine does not have: `rfkill`, `beaconmon-notifier`.
  public var missingPrograms: Set<String> = []
  /// The version of this program.
  public var version = ""
  /// The program that starts the daemon.
  public var manager = Manager.system

  public enum Manager: Hashable, Sendable {
    /// systemd, for the whole machine.
    case system
    /// The systemd of the user.
    case session
    /// A person or a test, on a bus of its own.
    case none
  }

  public init() {}
}

/// The adapters in the folder /sys/class/bluetooth.
public struct RadioFacts: Hashable, Sendable {
  public struct Adapter: Hashable, Sendable {
    /// The kernel's name: `hci0`.
    public var name: String
    /// The connection: `usb`, `serial`, `virtual`; nil if it is unknown.
    public var connection: String?
    /// Whether a program has blocked it, rfkill(8).
    public var isSoftBlocked: Bool
    /// Whether a switch of the machine blocks it.
    public var isHardBlocked: Bool
    /// The folder of its switch: `/sys/class/rfkill/rfkill0`; nil if it has none.
    public var block: String?

    public init(
      name: String, connection: String? = nil, isSoftBlocked: Bool = false, isHardBlocked: Bool = false, block: String? = nil
    ) {
      (self.name, self.connection, self.block) = (name, connection, block)
      (self.isSoftBlocked, self.isHardBlocked) = (isSoftBlocked, isHardBlocked)
    }

    var isBlocked: Bool { isSoftBlocked || isHardBlocked }
  }

  /// Whether the kernel has Bluetooth at all.
  public var isSupported: Bool
  public var adapters: [Adapter]

  public init(isSupported: Bool = true, adapters: [Adapter] = []) {
    (self.isSupported, self.adapters) = (isSupported, adapters)
  }
}

public struct BluetoothdFacts: Hashable, Sendable {
  public var isRunning: Bool
  /// The arguments of the process; nil if they are unknown.
  public var arguments: [String]?
  /// The version of the installed program, such as `5.66`; nil if it is unknown.
  public var version: String?
  public var isInstalled: Bool

  public init(isRunning: Bool, arguments: [String]? = nil, version: String? = nil, isInstalled: Bool = true) {
    (self.isRunning, self.arguments, self.version, self.isInstalled) = (isRunning, arguments, version, isInstalled)
  }
}

/// An adapter as bluetoothd lists it.
public struct ListedAdapter: Hashable, Sendable {
  public var name: String
  public var isPowered: Bool
  /// Whether it discovers for any program.
  public var isDiscovering: Bool
  /// Whether bluetoothd has an advertisement monitor.
  public var hasMonitors: Bool

  public init(name: String, isPowered: Bool = true, isDiscovering: Bool = false, hasMonitors: Bool = true) {
    (self.name, self.isPowered, self.isDiscovering, self.hasMonitors) = (name, isPowered, isDiscovering, hasMonitors)
  }
}

/// A wireless interface that is connected.
public struct WirelessFacts: Hashable, Sendable {
  public var interface: String
  /// The frequency in MHz.
  public var frequency: Int
  /// The adapter on the same chip; nil if there is none.
  public var adapter: String?

  public init(interface: String, frequency: Int, adapter: String?) {
    (self.interface, self.frequency, self.adapter) = (interface, frequency, adapter)
  }
}

public struct ClockFacts: Hashable, Sendable {
  /// The time since the Unix epoch.
  public var now: Instant
  /// Nil if the kernel does not report it.
  public var isSynchronised: Bool?

  public init(now: Instant, isSynchronised: Bool?) {
    (self.now, self.isSynchronised) = (now, isSynchronised)
  }
}

/// The folder with the events of the service.
public struct DiskFacts: Hashable, Sendable {
  public var folder: String
  /// The free space and the permissions; nil if the folder does not exist.
  public var space: Space?

  public struct Space: Hashable, Sendable {
    /// Nil for a file system without a limit.
    public var freeOctets: UInt64?
    /// Nil for a file system without a limit.
    public var freeInodes: UInt64?
    public var isReadOnly: Bool
    /// Whether the folder belongs to the user of the service; nil if there is no such user.
    public var isOwned: Bool?
    /// Whether the mode of the folder lets the user of the service write there; nil if there is no such user.
    public var isWritable: Bool?

    public init(
      freeOctets: UInt64?, freeInodes: UInt64?, isReadOnly: Bool = false, isOwned: Bool? = true, isWritable: Bool? = true
    ) {
      (self.freeOctets, self.freeInodes, self.isReadOnly) = (freeOctets, freeInodes, isReadOnly)
      (self.isOwned, self.isWritable) = (isOwned, isWritable)
    }
  }

  public init(folder: String, space: Space?) {
    (self.folder, self.space) = (folder, space)
  }
}

/// The user of this process.
public struct UserFacts: Hashable, Sendable {
  public var name: String
  public var isRoot: Bool
  /// Whether this process has the group beaconmon.
  public var isInsider: Bool
  /// Whether the user is listed as a member, and has the group after the next login.
  public var isListed: Bool

  public init(name: String, isRoot: Bool = false, isInsider: Bool = false, isListed: Bool = false) {
    (self.name, self.isRoot, self.isInsider, self.isListed) = (name, isRoot, isInsider, isListed)
  }
}

/// The daemon as the bus shows it.
public struct DaemonFacts: Sendable {
  public enum Presence: Hashable, Sendable {
    /// The bus cannot be reached, with the reason.
    case noBus(String)
    /// The name has no owner.
    case absent
    /// The daemon, or the policy of the bus, refuses this user.
    case refused
    /// The daemon does not answer, with the reason.
    case silent(String)
    case answering
  }

  public var presence: Presence
  /// The status; nil unless the daemon answers.
  public var status: MonitorStatus?
  /// Whether the bus has the policy that permits the daemon to own its name.
  public var hasPolicy: Bool

  public init(_ presence: Presence, status: MonitorStatus? = nil, hasPolicy: Bool = true) {
    (self.presence, self.status, self.hasPolicy) = (presence, status, hasPolicy)
  }
}

/// The result of `beaconmon config check`.
public struct ConfigFacts: Hashable, Sendable {
  public var file: String
  /// The exit status.
  public var status: Int32
  /// The lines of the output.
  public var lines: [String]
  /// The name of the source; nil if the config has none, or is invalid.
  public var source: String?
  /// The number of actions of the notifier; nil if the config is invalid.
  public var actions: Int?
  /// Whether this user may not read the config or one of its drop-ins.
  public var isForbidden: Bool
  /// Whether there is no such file.
  public var isAbsent: Bool

  public init(
    file: String, status: Int32 = 0, lines: [String] = [], source: String? = "auto", actions: Int? = 0, isForbidden: Bool = false,
    isAbsent: Bool = false
  ) {
    (self.file, self.status, self.lines, self.source, self.actions) = (file, status, lines, source, actions)
    (self.isForbidden, self.isAbsent) = (isForbidden, isAbsent)
  }
}

/// A host of a target.
public struct HostFacts: Hashable, Sendable {
  /// The name of the target: `mqtt broker.local:1883`.
  public var target: String
  /// The reason why the host cannot be reached; nil if it can.
  public var failure: String?

  public init(target: String, failure: String? = nil) {
    (self.target, self.failure) = (target, failure)
  }
}
