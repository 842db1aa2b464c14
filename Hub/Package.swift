// swift-tools-version: 6.2
import PackageDescription

// The hub of a fleet: Docs/fleet.md. It has the layers of the package above it, and shares that package's FleetCore.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let fleetCore: Target.Dependency = .product(name: "FleetCore", package: "beaconmon-package")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

func system(_ name: String, pkgConfig: String, debian: String) -> Target {
  .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])])
}

/// A module of a layer: `Core`, `Services` or `Adapters`.
func module(_ layer: String, _ name: String, _ dependencies: [Target.Dependency] = [fleetCore]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(layer)/\(name)", swiftSettings: strict)
}

func app(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Sources/Apps/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
  name: "beaconmon-hub",
  dependencies: [
    .package(name: "beaconmon-package", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    // MARK: Core
    module("Core", "BrokerDefinitions", [fleetCore, "Partitions"]),
    module("Core", "FleetStatus", []),
    module("Core", "Partitions"),
    module("Core", "Rooms"),
    module("Core", "Streams"),

    // MARK: Services
    module("Services", "Ingest", [fleetCore, "Partitions", "Rooms", "Streams"]),

    // MARK: Adapters
    system("CMosquitto", pkgConfig: "libmosquitto", debian: "libmosquitto-dev"),
    system("CPostgreSQL", pkgConfig: "libpq", debian: "libpq-dev"),
    system("CRabbitMQ", pkgConfig: "librabbitmq", debian: "librabbitmq-dev"),
    module("Adapters", "Commands", [fleetCore, "BrokerDefinitions", "Partitions"]),
    module("Adapters", "PostgreSQL", ["CPostgreSQL"]),
    module("Adapters", "RabbitMQ", ["CRabbitMQ", "Ingest", "Partitions"]),
    module("Adapters", "FleetDatabase", [fleetCore, "FleetStatus", "Ingest", "Partitions", "PostgreSQL", "Rooms", "Streams"]),

    // MARK: Apps
    app(
      "beaconmon-hub",
      [
        fleetCore, "BrokerDefinitions", "Commands", "FleetDatabase", "FleetStatus", "Ingest", "Partitions", "PostgreSQL", "RabbitMQ",
        argumentParser,
      ]),
    app("fleet-load", [fleetCore, "CMosquitto", argumentParser]),

    // MARK: Tests
    tests("RoomsTests", [fleetCore, "Rooms"]),
    tests("StreamsTests", [fleetCore, "Streams"]),
    tests("PartitionsTests", [fleetCore, "Partitions"]),
    tests("IngestTests", [fleetCore, "Ingest", "Partitions", "Rooms", "Streams"]),
    tests("FleetStatusTests", ["FleetStatus"]),
    tests("BrokerDefinitionsTests", [fleetCore, "BrokerDefinitions", "Partitions"]),
  ]
)
