// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "panorama",
  // In a package of your own: .package(url: "…/beaconmon", from: "1.0.0").
  dependencies: [.package(name: "beaconmon", path: "../../../..")],
  targets: [.executableTarget(name: "panorama", dependencies: [.product(name: "Beaconmon", package: "beaconmon")])]
)
