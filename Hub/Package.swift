// swift-tools-version: 6.2
import Glibc
import PackageDescription

// The package manager names a package by its folder, so that this one and the one above it would have one name.
if Context.packageDirectory.lowercased().hasSuffix("/hub/hub") {
  let fault = "error: the folder of the checkout is called \"hub\" like the package in it; give it another name\n"
  _ = fault.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(1)
}

// The hub of a fleet: Docs/fleet.md. It has the layers of the package above it, and shares that package's FleetCore.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let fleetCore: Target.Dependency = .product(name: "FleetCore", package: "beaconmon-package")
let fleetTargets: Target.Dependency = .product(name: "FleetTargets", package: "beaconmon-package")
let fleetWeb: Target.Dependency = .product(name: "FleetWeb", package: "beaconmon-package")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let numbers: Target.Dependency = .product(name: "RealModule", package: "swift-numerics")

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
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
  ],
  targets: [
    // MARK: Core
    module("Core", "Alerts", [fleetCore, fleetTargets]),
    module("Core", "BrokerDefinitions", [fleetCore, "Partitions"]),
    module("Core", "FleetQueries", [fleetCore, "People"]),
    module("Core", "FleetRollouts"),
    module("Core", "FleetSimulation"),
    module("Core", "FleetStatus"),
    module("Core", "ProgramSettings", []),
    module("Core", "Partitions"),
    module("Core", "People"),
    module("Core", "RoomSimulation", [fleetCore, "Rooms", numbers]),
    module("Core", "Retention"),
    module("Core", "Rooms", [fleetCore, numbers]),
    module("Core", "SitePlans"),
    module("Core", "Streams"),

    // MARK: Services
    module("Services", "FleetAlerts", [fleetCore, fleetTargets, fleetWeb, "Alerts", logging]),
    module("Services", "FleetPage", [fleetCore, fleetWeb, "FleetQueries", "People", logging]),
    module("Services", "Ingest", [fleetCore, "Partitions", "Retention", "Rooms", "Streams"]),
    module("Services", "RetentionJobs", [fleetCore, "Retention"]),
    module("Services", "RolloutJobs", [fleetCore, "FleetRollouts"]),
    module("Services", "RoomSurveying", [fleetCore, "Rooms"]),
    module("Services", "StatusReading", [fleetCore, "Alerts", "BrokerDefinitions", "FleetStatus", "Partitions"]),

    // MARK: Adapters
    // The package above has a module CMosquitto, which loads the library on demand.
    system("CLibmosquitto", pkgConfig: "libmosquitto", debian: "libmosquitto-dev"),
    system("CPostgreSQL", pkgConfig: "libpq", debian: "libpq-dev"),
    system("CRabbitMQ", pkgConfig: "librabbitmq", debian: "librabbitmq-dev"),
    system("CSodium", pkgConfig: "libsodium", debian: "libsodium-dev"),
    module("Adapters", "Commands", [fleetCore, "BrokerDefinitions", "Partitions"]),
    module("Adapters", "MachineFiles", [fleetWeb, "ProgramSettings"]),
    module("Adapters", "PageDatabase", [fleetCore, fleetWeb, "FleetPage", "FleetQueries", "People", "PostgreSQL", logging]),
    module("Adapters", "PostgreSQL", [fleetCore, fleetWeb, "CPostgreSQL"]),
    module("Adapters", "RabbitMQ", [fleetCore, fleetWeb, "BrokerDefinitions", "CRabbitMQ", "Ingest", "Partitions"]),
    module("Adapters", "Sodium", [fleetCore, fleetTargets, fleetWeb, "CSodium", "FleetPage"]),
    module(
      "Adapters", "FleetDatabase",
      [
        fleetCore, fleetTargets, "Alerts", "BrokerDefinitions", "FleetAlerts", "FleetStatus", "Ingest", "Partitions", "PostgreSQL",
        "Retention", "RetentionJobs", "RolloutJobs", "FleetRollouts", "RoomSurveying", "Rooms", "StatusReading", "Streams",
      ]),

    // MARK: Apps
    app(
      "beaconmon-hub",
      [
        fleetCore, fleetTargets, fleetWeb, "Alerts", "BrokerDefinitions", "Commands", "FleetAlerts", "FleetDatabase", "FleetPage",
        "FleetQueries", "FleetRollouts", "FleetStatus", "Ingest", "MachineFiles", "PageDatabase", "Partitions", "People", "PostgreSQL",
        "ProgramSettings", "RabbitMQ", "Retention", "RetentionJobs", "RolloutJobs", "RoomSurveying", "Rooms", "SitePlans", "Sodium",
        "StatusReading", argumentParser, logging,
      ]),
    .executableTarget(
      name: "room-figures", dependencies: [fleetCore, "RoomSimulation", "Rooms"], path: "Benchmarks/room-figures", swiftSettings: strict),
    app("fleet-load", [fleetCore, fleetWeb, "CLibmosquitto", "FleetSimulation", argumentParser]),

    // MARK: Tests
    tests("AlertsTests", [fleetCore, fleetTargets, "Alerts"]),
    // ManualScheduler and LogLines are those of the package above, here and in FleetPageTests.
    tests("FleetAlertsTests", [fleetCore, fleetTargets, fleetWeb, "Alerts", "FleetAlerts", logging]),
    tests("CommandsTests", ["Commands"]),
    tests("FleetPageTests", [fleetCore, fleetWeb, "FleetPage", "FleetQueries", "People", logging]),
    tests("FleetQueriesTests", [fleetCore, "FleetQueries"]),
    tests("PeopleTests", [fleetCore, "People"]),
    tests("RetentionJobsTests", [fleetCore, "Retention", "RetentionJobs"]),
    tests("RetentionTests", [fleetCore, "Retention"]),
    tests("RoomSurveyingTests", [fleetCore, "Rooms", "RoomSurveying"]),
    tests(
      "FleetDatabaseTests",
      [
        fleetCore, fleetWeb, "Alerts", "BrokerDefinitions", "FleetDatabase", "FleetPage", "FleetStatus", "Ingest", "PageDatabase",
        "PostgreSQL", "Retention", "RolloutJobs", "FleetRollouts", "RoomSurveying", "Rooms", "Streams",
      ]),
    tests("RolloutJobsTests", [fleetCore, "RolloutJobs", "FleetRollouts"]),
    tests("RoomsTests", [fleetCore, "RoomSimulation", "Rooms"]),
    tests("FleetRolloutsTests", [fleetCore, "FleetRollouts"]),
    tests("SitePlansTests", [fleetCore, fleetTargets, "SitePlans"]),
    tests("MachineFilesTests", ["MachineFiles", "ProgramSettings"]),
    tests("SodiumTests", [fleetCore, "Sodium"]),
    tests("StatusReadingTests", [fleetCore, "Alerts", "FleetStatus", "Partitions", "StatusReading"]),
    tests("StreamsTests", [fleetCore, "Streams"]),
    tests("PartitionsTests", [fleetCore, "Partitions"]),
    tests("IngestTests", [fleetCore, "Ingest", "Partitions", "Rooms", "Streams"]),
    tests("FleetSimulationTests", [fleetCore, "FleetSimulation"]),
    tests("FleetStatusTests", ["FleetStatus"]),
    tests("ProgramSettingsTests", ["ProgramSettings"]),
    tests("BrokerDefinitionsTests", [fleetCore, "BrokerDefinitions", "Partitions"]),
  ]
)
