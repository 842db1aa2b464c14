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

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let realModule: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")

let package = Package(
  name: "beaconmon-package",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
  ],
  targets: [
    // MARK: Core
    core("Instants"),
    core("Records", ["Instants"]),
    core("BeaconAdvertising", ["Instants"]),
    core("Ranging", ["BeaconAdvertising", "Instants", realModule]),
    core("Regions", ["BeaconAdvertising", "Instants", "Ranging", heap]),
    core("Proximity", ["BeaconAdvertising", "Instants", "Ranging", "Records", "Regions"]),
    core("EventActions", ["Instants", "Records"]),
    core("TOML"),

    // MARK: System

    // MARK: Adapters
    adapter("MonitorConfiguration", ["BeaconAdvertising", "EventActions", "Instants", "Ranging", "Regions", "TOML"]),
    adapter("Terminal", ["Instants", "Records"]),

    // MARK: Apps

    // MARK: Tests
    tests("InstantsTests", ["Instants"]),
    tests("RecordsTests", ["Instants", "Records"]),
    tests("TOMLTests", ["TOML"]),
    tests("EventActionsTests", ["EventActions", "Instants", "Records"]),
    tests("BeaconAdvertisingTests", ["BeaconAdvertising", "Instants"]),
    tests("RangingTests", ["BeaconAdvertising", "Instants", "Ranging"]),
    tests("ProximityTests", ["BeaconAdvertising", "Instants", "Proximity", "Ranging", "Records", "Regions"]),
    tests("MonitorConfigurationTests", ["BeaconAdvertising", "EventActions", "Instants", "MonitorConfiguration", "Ranging", "Regions"]),
    tests("TerminalTests", ["Instants", "Records", "Terminal"]),
  ],
)
