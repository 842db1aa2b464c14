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
  dependencies: [.package(name: "beaconmon-package", path: "..")],
  targets: [
    // MARK: Core
    module("Core", "Rooms"),

    // MARK: Tests
    tests("RoomsTests", ["Rooms", fleetCore]),
  ]
)
