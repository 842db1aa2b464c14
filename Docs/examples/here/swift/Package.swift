// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "here",
  // In a package of your own: .package(url: "…/beaconmon", from: "1.0.0").
  dependencies: [.package(name: "beaconmon", path: "../../../..")],
  targets: [.executableTarget(name: "here", dependencies: [.product(name: "Beaconmon", package: "beaconmon")])]
)
