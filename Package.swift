// swift-tools-version: 6.2
import PackageDescription

// One helper per layer fixes where its targets live and how strictly they are compiled. Who may import whom: Docs/architecture.md.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func core(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Core/\(name)", swiftSettings: strict)
}

func system(_ name: String, pkgConfig: String? = nil, debian: String) -> Target {
  .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])])
}

func adapter(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Adapters/\(name)", swiftSettings: strict)
}

func app(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Sources/Apps/\(name)", swiftSettings: strict)
}

func benchmark(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Benchmarks/\(name)", swiftSettings: strict)
}

func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: strict)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let realModule: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")

let package = Package(
  name: "beaconmon-package",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
  ],
  targets: [
    // MARK: Core
    core("Instants"),
    core("Records", ["Instants"]),
    core("Failures"),
    core("BeaconAdvertising", ["Instants", "Records"]),
    core("Ranging", ["BeaconAdvertising", "Instants", realModule]),
    core("Regions", ["BeaconAdvertising", "Instants", "Ranging", heap]),
    core("Proximity", ["BeaconAdvertising", "Instants", "Ranging", "Records", "Regions"]),
    core("EventActions", ["Instants", "Records"]),
    core("Geodesy", [realModule]),
    core("TOML"),

    // MARK: System
    system("CBluetooth", debian: "libbluetooth-dev"),
    system("CDBus", pkgConfig: "dbus-1", debian: "libdbus-1-dev"),
    system("CLinux", debian: "libc6-dev"),
    system("CSystemd", pkgConfig: "libsystemd", debian: "libsystemd-dev"),

    // MARK: Adapters
    adapter("EventLoop", ["CLinux", "CSystemd", "Instants"]),
    adapter("DBus", ["CDBus", "EventLoop", "Instants"]),
    adapter("BlueZ", ["BeaconAdvertising", "DBus", "EventLoop", "Instants", "Ranging"]),
    adapter("ServiceLog", [logging]),
    adapter("MonitorBus", ["BeaconAdvertising", "DBus", "EventLoop", "Instants", "Proximity", "Ranging", "Records", "Regions"]),
    adapter("Delivery", ["DBus", "EventActions", "EventLoop", "Instants", "Records", logging]),
    adapter("Captures", ["BeaconAdvertising", "EventLoop", "Instants"]),
    adapter("MonitorConfiguration", ["BeaconAdvertising", "EventActions", "Instants", "Ranging", "Regions", "TOML"]),
    adapter("HCI", ["BeaconAdvertising", "CBluetooth", "EventLoop", "Instants"]),
    adapter("Terminal", ["Instants", "Records"]),

    // MARK: Apps
    .target(
      name: "ProgramSupport",
      dependencies: ["Captures", "DBus", "EventLoop", "Failures", "Instants", "MonitorConfiguration", "ServiceLog", logging],
      path: "Sources/Apps/ProgramSupport", swiftSettings: strict),
    app(
      "beaconmond",
      [
        "BeaconAdvertising", "BlueZ", "Captures", "DBus", "EventLoop", "Failures", "HCI", "Instants", "MonitorBus", "MonitorConfiguration",
        "ProgramSupport",
        "Proximity", "Ranging", "Records", "Regions", "ServiceLog", logging,
      ]),

    app(
      "beaconmon-notifier",
      [
        "Delivery", "DBus", "EventLoop", "Failures", "Instants", "MonitorBus", "MonitorConfiguration", "ProgramSupport", "Records",
        "ServiceLog",
        logging,
      ]),

    app(
      "beaconmon",
      [
        "BeaconAdvertising", "Captures", "DBus", "EventLoop", "Failures", "Instants", "MonitorBus", "MonitorConfiguration",
        "ProgramSupport",
        "Proximity", "Ranging", "Records", "Regions", "Terminal", argumentParser,
      ]),

    // MARK: Benchmarks
    benchmark("beaconmon-bench", ["BeaconAdvertising", "DBus", "EventLoop", "HCI", "Instants", "Proximity", "Regions"]),

    // MARK: Tests
    support("TestSupport", ["EventLoop", "Instants"]),
    tests("InstantsTests", ["Instants"]),
    tests("RecordsTests", ["Instants", "Records"]),
    tests("TOMLTests", ["TestSupport", "TOML"]),
    tests("EventActionsTests", ["EventActions", "Instants", "Records"]),
    tests("BeaconAdvertisingTests", ["BeaconAdvertising", "Instants", "TestSupport"]),
    tests("RangingTests", ["BeaconAdvertising", "Instants", "Ranging"]),
    tests("ProximityTests", ["BeaconAdvertising", "Instants", "Proximity", "Ranging", "Records", "Regions", "TestSupport"]),
    tests("GeodesyTests", ["Geodesy", "TestSupport", realModule]),
    tests("EventLoopTests", ["EventLoop", "Instants", "TestSupport"]),
    tests("DBusTests", ["DBus", "EventLoop", "Instants", "TestSupport"]),
    tests("BlueZTests", ["BeaconAdvertising", "BlueZ", "DBus", "EventLoop", "Instants", "TestSupport"], exclude: ["Peers"]),
    tests("CapturesTests", ["BeaconAdvertising", "Captures", "EventLoop", "Instants", "TestSupport"]),
    tests("MonitorBusTests", ["BeaconAdvertising", "DBus", "Instants", "MonitorBus", "Proximity", "Ranging", "Records", "Regions"]),
    tests(
      "MonitorConfigurationTests",
      ["BeaconAdvertising", "EventActions", "Instants", "MonitorConfiguration", "Ranging", "Regions", "TestSupport"]),
    tests("HCITests", ["BeaconAdvertising", "EventLoop", "HCI", "Instants", "TestSupport"]),
    tests("TerminalTests", ["Instants", "Records", "Terminal"]),
    tests("IntegrationTests", ["TestSupport"], exclude: ["Peers"]),
  ],
)
