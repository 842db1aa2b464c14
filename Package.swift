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

func service(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Services/\(name)", swiftSettings: strict)
}

func adapter(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Adapters/\(name)", swiftSettings: strict)
}

func client(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Client/\(name)", swiftSettings: strict)
}

func app(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Sources/Apps/\(name)", swiftSettings: strict)
}

func benchmark(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Benchmarks/\(name)", swiftSettings: strict)
}

func support(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: strict)
}

/// A part of the damage suite: Tests/Damage/README.md.
func damage(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/Damage/\(name)", swiftSettings: strict)
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
  products: [
    .library(name: "Beaconmon", targets: ["Beaconmon"]),
    // The modules of Core that the hub shares: Hub/Package.swift.
    .library(
      name: "FleetCore",
      targets: [
        "Beacons", "DeliveryScheduling", "Digests", "Events", "FleetMessages", "Instants", "Numerals", "ProgramVersion", "Publishing",
        "Records",
        "Seeds",
        "Venues",
      ]),
    // The modules that the page of the hub shares with that of a device.
    .library(
      name: "FleetWeb",
      targets: ["Digests", "EventLoop", "HTTPMessages", "HTTPServer", "LocalEndpoints", "Scheduling", "WebFiles", "WebPage"]),
    // The targets of the notifier, and the reader of its configuration, which deliver the alerts of the hub, and the log.
    .library(
      name: "FleetTargets",
      targets: [
        "DeliveryScheduling", "DeliveryTargets", "EventActions", "LocalTargets", "MonitorConfiguration", "Notification", "ServiceLog",
      ]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
  ],
  targets: [
    // MARK: Core
    core("Instants"),
    core("Records", ["Instants", "Numerals"]),
    core("Failures"),
    core("Numerals"),
    core("ProgramVersion"),
    core("Digests", ["Numerals"]),
    core("FleetMessages", ["Beacons", "Diagnostics", "Digests"]),
    core("Sharing", ["Diagnostics", "FleetMessages", "Instants", "Records"]),
    core("LocalEndpoints"),
    core("HTTPMessages", ["Instants"]),
    core("Diagnostics", ["Events"]),
    core("Beacons", ["Instants", "Numerals", "Records"]),
    core("BeaconAdvertising", ["Beacons", "Instants", "Records"]),
    core("Ranging", ["BeaconAdvertising", "Beacons", "Instants", "Records", realModule]),
    core("Events", ["Beacons", "Instants", "Records"]),
    core("Visits", ["Events", "Instants", "Records"]),
    core("Regions", ["BeaconAdvertising", "Beacons", "Events", "Geodesy", "Instants", "Ranging", heap]),
    core("RadioHealth", ["Beacons", "Instants"]),
    core("BeaconHealth", ["BeaconAdvertising", "Beacons", "Instants", "Ranging", "Regions"]),
    core(
      "Proximity",
      [
        "BeaconAdvertising", "Beacons", "Events", "Geodesy", "IndoorPositioning", "Instants", "Locations", "Motion", "Ranging", "Records",
        "Regions", "Venues", realModule,
      ]),
    core("Consent", ["Instants"]),
    core("DeliveryScheduling", ["Events", "Instants"]),
    core("EventActions", ["Beacons", "DeliveryScheduling", "Events", "FleetMessages", "Instants", "Publishing", "Records"]),
    core("Status", ["BeaconAdvertising", "Beacons", "Consent", "Events", "Instants", "Locations", "RadioHealth", "Records"]),
    core("Metrics", ["BeaconAdvertising", "Beacons", "Events", "Instants", "Locations", "RadioHealth", "Records", "Status"]),
    core("Diagnosis", ["Geomagnetism", "Instants", "RadioHealth", "Records", "Status"]),
    core("Geodesy", [realModule]),
    core("Geomagnetism", ["Geodesy", realModule]),
    core("LeastSquares"),
    core("Headings", ["Instants", "LeastSquares", realModule]),
    core("Motion", ["Headings", "Instants", realModule]),
    core("Seeds", [realModule]),
    core("SensorRecordings", ["Headings", "Instants", "Locations", "Records"]),
    core("SensorSimulation", ["Headings", "Instants", "Motion", "Seeds", realModule]),
    core("SignalCalibration", ["Beacons", "LeastSquares", "Records", realModule]),
    core("Locations", ["Geodesy", "Instants", "Records"]),
    core("Addresses", ["Digests", "Geodesy", "Instants", "Locations", "Records"]),
    core("GPSD", ["Instants", "Locations", "NMEA", "Records"]),
    core("NMEA", ["Instants", "Locations", "Records"]),
    core("LocationArbitration", ["Geodesy", "Instants", "Locations", "Motion", realModule]),
    core("TrackRecordings", ["GPSD", "Instants", "Locations", "NMEA", "Records"]),
    core("Geotagging", ["Events", "Geodesy", "Instants", "Locations", "Records", "TrackRecordings"]),
    core("IndoorPositioning", ["Instants", "Motion", "Venues", realModule]),
    core("Venues", ["Beacons", "Digests", "Geodesy", "Instants", "Numerals", "Records", realModule]),
    core("RouteReports", ["Instants", "Records"]),
    core("ShareReports", ["Instants", "Records"]),
    core("Wayfinding", ["Diagnostics", "Geodesy", "Instants", "Records", "RouteReports", "Venues", heap, realModule]),
    core("ConfigurationTree"),
    core("TOML", ["ConfigurationTree"]),
    core("Publishing", ["Beacons", "DeliveryScheduling", "Events", "Instants", "Numerals", "Records"]),
    core(
      "Scoring",
      [
        "BeaconAdvertising", "Beacons", "Events", "IndoorPositioning", "Instants", "Proximity", "Ranging", "Records", "Regions",
        "SignalCalibration", "Venues",
      ]),
    core(
      "Simulation",
      [
        "BeaconAdvertising", "Beacons", "Events", "Geodesy", "IndoorPositioning", "Instants", "LocationArbitration", "Locations",
        "Proximity", "Ranging", "Records", "Regions", "Scoring", "Venues", heap, realModule,
      ]),

    core(
      "Replays",
      [
        "BeaconAdvertising", "Events", "Instants", "Locations", "Motion", "Proximity", "Ranging", "Records", "Regions", "TrackRecordings",
        "Venues",
      ]),

    core(
      "Surveys",
      [
        "BeaconAdvertising", "Beacons", "IndoorPositioning", "Instants", "Ranging", "Records", "Regions", "Scoring", "SignalCalibration",
        "Venues", realModule,
      ]),

    // MARK: Services
    service("ConsentService", ["Consent", "Instants", "Regions", "Scheduling", "Status", logging]),
    service("Geocoding", ["Addresses", "Instants", "Locations", "Scheduling", "Status", logging]),
    service(
      "Monitoring",
      [
        "Addresses", "BeaconAdvertising", "BeaconHealth", "Beacons", "ConfigurationTree", "Consent", "ConsentService", "Diagnostics",
        "Events", "Failures", "Geocoding", "Geodesy", "IndoorPositioning", "Instants", "LocationArbitration", "Locations", "Motion",
        "Positioning", "Proximity",
        "RadioHealth", "Ranging", "Records", "Regions", "Scheduling",
        "Status", "Venues", logging,
      ]),
    service(
      "PositionSharing",
      [
        "Consent", "DeliveryScheduling", "FleetMessages", "FleetReporting", "Instants", "Records", "Scheduling", "Sharing", "Status",
        logging,
      ]),
    service("BrokerPublishing", ["DeliveryScheduling", "Instants", "Publishing", "Scheduling", logging]),
    service(
      "FleetReporting",
      [
        "Beacons", "BrokerPublishing", "DeliveryScheduling", "Diagnostics", "EventActions", "Events", "FleetMessages", "Instants",
        "Numerals", "Publishing", "Scheduling", "Status", logging,
      ]),
    service(
      "Notification",
      [
        "Beacons", "Consent", "DeliveryScheduling", "Diagnostics", "EventActions", "Events", "Failures", "FleetReporting", "Instants",
        "Metrics", "Publishing", "RadioHealth", "Records", "Regions", "Scheduling", "Venues", logging,
      ]),
    service(
      "Departures",
      [
        "Events", "Instants", "LocationArbitration", "Locations", "Positioning", "Scheduling", "Status", "Venues", "Wayfinding",
        logging,
      ]),
    service(
      "ClientSessions",
      [
        "Beacons", "ConfigurationTree", "Consent", "ConsentService", "Departures", "Events", "Geocoding", "Guidance", "Headings",
        "Instants",
        "LocationArbitration", "Locations", "Monitoring", "Orientation", "Positioning", "Regions", "RouteReports", "Venues", "Wayfinding",
      ]),
    service("Positioning", ["Instants", "LocationArbitration", "Locations", "Motion", "Records", "Scheduling", logging]),
    service(
      "Orientation",
      ["Geomagnetism", "Headings", "Instants", "LocationArbitration", "Locations", "Positioning", "Records", "Scheduling", logging]),
    service(
      "Guidance",
      [
        "Geodesy", "Headings", "Instants", "LocationArbitration", "Locations", "Motion", "Orientation", "Positioning", "RouteReports",
        "Scheduling", "Venues", "Wayfinding", logging,
      ]),
    service(
      "Setup",
      [
        "BeaconAdvertising", "Beacons", "ClientCommands", "Failures", "Instants", "Ranging", "Records", "Scheduling", "Scoring",
        "SignalCalibration", "Status", "Surveys",
      ]),
    service("WebAccess", ["Digests", "Instants", "Records", "Scheduling", logging]),
    service(
      "WebPage",
      [
        "Beacons", "Events", "Failures", "Geodesy", "HTTPMessages", "Instants", "LocalEndpoints", "Locations", "Records", "Scheduling",
        "Status", "Venues", "Visits", "WebAccess",
      ]),
    service("VenueEditing", ["Instants", "Scheduling", "Venues", logging]),
    service("VisitStatistics", ["Events", "Instants", "Monitoring", "Scheduling", "Visits", logging]),
    service("Reloading", ["Diagnostics", "Failures", "Instants", "Scheduling", "Status", logging]),
    service("MetricsService", ["Instants", "LocalEndpoints", "Metrics", "Records", "Scheduling", "Status", logging]),
    service(
      "ClientCommands",
      [
        "BeaconAdvertising", "Beacons", "Diagnosis", "Events", "Failures", "Instants", "Locations", "Proximity", "Ranging", "Records",
        "Scheduling", "ShareReports", "Status", "Surveys", "Venues",
      ]),
    service("Scheduling", ["Instants"]),

    // MARK: System
    system("CBluetooth", debian: "libbluetooth-dev"),
    system("CCrypto", debian: "libssl-dev"),
    system("CCurl", debian: "libcurl4-openssl-dev"),
    system("CDBus", pkgConfig: "dbus-1", debian: "libdbus-1-dev"),
    system("CGEOS", debian: "libgeos-dev"),
    system("CGExiv2", debian: "libgexiv2-2"),
    system("CLibical", debian: "libical-dev"),
    system("CLinux", debian: "libc6-dev"),
    system("CMicroHTTPD", debian: "libmicrohttpd-dev"),
    system("CMosquitto", debian: "libmosquitto-dev"),
    system("CSodiumOnDemand", debian: "libsodium23"),
    system("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
    system("CSystemd", pkgConfig: "libsystemd", debian: "libsystemd-dev"),
    system("CZip", debian: "libzip-dev"),

    // MARK: Adapters
    adapter("EventLoop", ["CLinux", "CSystemd", "Instants", "Numerals", "Scheduling"]),
    adapter("DBus", ["CDBus", "EventLoop", "Instants", "Numerals"]),
    adapter("SQLite", ["CSQLite", "Records"]),
    adapter("Authorization", ["Consent", "ConsentService", "DBus", "EventLoop", "Instants", "Records", "SQLite"]),
    adapter(
      "BlueZ",
      [
        "BeaconAdvertising", "Beacons", "DBus", "Diagnostics", "EventLoop", "Instants", "Proximity", "RadioHealth", "Ranging", "Records",
        "Scheduling", "Status", logging,
      ]),
    adapter("ServiceLog", ["CSystemd", "Diagnostics", logging]),
    adapter("MonitorProtocol", ["Beacons", "DBus", "Events", "Instants", "Numerals", "Records"]),
    adapter(
      "MonitorService",
      [
        "BeaconAdvertising", "Beacons", "ClientSessions", "ConfigurationTree", "Consent", "ConsentService", "DBus", "Departures",
        "EventLoop", "Events", "Geocoding", "Geodesy", "Guidance", "Headings", "Instants", "LocationArbitration", "Locations", "Metrics",
        "MonitorProtocol",
        "Monitoring", "Orientation", "Positioning", "Proximity", "RadioHealth", "Ranging", "Records", "Regions", "RouteReports", "Status",
        "VenueEditing", "Venues", "VisitStatistics", "Visits", "Wayfinding", logging,
      ]),
    adapter(
      "MonitorClient",
      [
        "Beacons", "Consent", "DBus", "EventLoop", "Events", "Instants", "Locations", "MonitorProtocol", "Records", "RouteReports",
        "Scheduling", "Venues", "Visits",
      ]),
    adapter(
      "EventOutbox",
      ["DeliveryScheduling", "EventLoop", "Events", "Failures", "Instants", "Notification", "Records", "SQLite", logging]),
    adapter(
      "LocalTargets",
      [
        "DBus", "DeliveryScheduling", "Diagnostics", "EventActions", "EventLoop", "Events", "Instants", "Notification", "SQLite", "Venues",
        logging,
      ]),
    adapter(
      "Captures",
      [
        "BeaconAdvertising", "Beacons", "EventLoop", "Failures", "Geotagging", "Instants", "Locations", "Monitoring", "Motion",
        "Positioning",
        "Proximity", "RadioHealth", "Ranging", "Records", "Simulation", "TrackRecordings", logging,
      ]),
    adapter(
      "LocationSources",
      [
        "DBus", "EventLoop", "GPSD", "Instants", "LocationArbitration", "Locations", "NMEA", "Positioning", "Records", "Scheduling",
      ]),
    adapter(
      "HeadingSources",
      [
        "DBus", "EventLoop", "Geodesy", "Geomagnetism", "Headings", "Instants", "Locations", "Motion", "Orientation", "Positioning",
        "Records", "Scheduling", "SensorRecordings", "SensorSimulation",
      ]),
    adapter(
      "Journal",
      [
        "BeaconAdvertising", "Beacons", "EventLoop", "Events", "Geodesy", "Instants", "Monitoring", "Numerals", "Proximity", "Ranging",
        "Records", "Regions", "SQLite", "Visits", "VisitStatistics", logging,
      ]),
    adapter(
      "MonitorConfiguration",
      [
        "Addresses", "BeaconAdvertising", "BeaconHealth", "Beacons", "ConfigurationTree", "Consent", "DeliveryScheduling", "Departures",
        "Diagnostics", "Digests", "EventActions", "EventLoop", "Events", "Failures", "FleetMessages", "Geodesy", "Headings",
        "IndoorPositioning", "Instants", "LocalEndpoints", "Locations", "Monitoring", "Numerals", "Publishing", "RadioHealth", "Ranging",
        "Records", "Regions",
        "Setup", "SignalCalibration", "Simulation", "TOML", "VenueEditing", "Venues", realModule,
      ]),
    adapter("IMDF", ["Beacons", "CGEOS", "CZip", "Diagnostics", "Geodesy", "Instants", "Numerals", "Venues", realModule]),
    adapter("Calendars", ["CLibical", "Departures", "EventLoop", "Instants"]),
    adapter("Speech", ["ClientCommands", "EventLoop", "Failures", "Instants"]),
    adapter("Photos", ["CGExiv2", "EventLoop", "Geotagging"]),
    adapter("MachineProbes", ["Diagnosis", "EventLoop", "Instants"]),
    adapter("HCI", ["BeaconAdvertising", "Beacons", "CBluetooth", "EventLoop", "Instants", "Numerals"]),
    adapter(
      "RadioReceivers",
      [
        "BeaconAdvertising", "Beacons", "BlueZ", "DBus", "EventLoop", "Failures", "HCI", "Instants", "Monitoring", "Proximity",
        "RadioHealth", "Ranging", logging,
      ]),
    adapter(
      "Terminal",
      [
        "BeaconAdvertising", "Beacons", "Consent", "Diagnosis", "EventLoop", "Events", "Geodesy", "Geotagging", "IndoorPositioning",
        "Instants", "Locations", "Numerals", "RadioHealth", "Ranging", "Records", "RouteReports", "Scoring", "Setup",
        "ShareReports", "SignalCalibration", "Simulation", "Status", "Surveys", "Venues", "Visits", "Wayfinding", realModule,
      ]),
    adapter(
      "LearnedState",
      [
        "BeaconHealth", "Beacons", "Departures", "Headings", "IndoorPositioning", "Instants", "Monitoring", "Orientation", "Ranging",
        "Records", "SQLite", "Wayfinding", logging,
      ]),
    adapter("SessionFiles", ["EventLoop", "WebAccess"]),
    adapter("ShareFiles", ["EventLoop", "PositionSharing"]),
    adapter("Rollouts", ["CSodiumOnDemand", "EventLoop", "FleetMessages", "FleetReporting"]),
    adapter("DigestFiles", ["Digests", "EventLoop", "FleetMessages", "FleetReporting", "SQLite", logging]),
    adapter("MQTT", ["BrokerPublishing", "CMosquitto", "EventLoop", "Instants", "Publishing"]),
    adapter("HTTP", ["CCurl", "EventLoop", "Instants"]),
    adapter("HTTPServer", ["CMicroHTTPD", "EventLoop", "HTTPMessages", "Instants", "LocalEndpoints"]),
    adapter("ErrorMapping", ["EventLoop", "IndoorPositioning", "Venues", "WebPage"]),
    adapter("WebFiles", ["EventLoop", "HTTPMessages", "Venues", "WebPage"]),
    adapter("Nominatim", ["Addresses", "EventLoop", "Geocoding", "HTTP", "Instants", "Locations", logging]),
    adapter("Webhook", ["CCrypto", "DeliveryScheduling", "EventLoop", "HTTP", "Instants"]),

    // MARK: Client
    client(
      "Beaconmon",
      [
        "Beacons", "Consent", "DBus", "EventLoop", "Events", "Geodesy", "Instants", "Locations", "MonitorClient", "MonitorProtocol",
        "Records", "RouteReports", "ShareReports", "Venues",
      ]),

    // MARK: Apps
    .target(
      name: "ProgramSupport",
      dependencies: [
        "DBus", "EventLoop", "Failures", "FleetMessages", "HTTPMessages", "HTTPServer", "Instants", "LocalEndpoints", "Metrics",
        "MetricsService", "MonitorConfiguration", "ProgramVersion", "Regions", "Reloading", "ServiceLog", "Status", "Visits", logging,
      ],
      path: "Sources/Apps/ProgramSupport", swiftSettings: strict),
    .target(
      name: "DeliveryTargets",
      dependencies: [
        "BrokerPublishing", "DeliveryScheduling", "EventActions", "EventLoop", "Instants", "LocalTargets", "MQTT", "Notification",
        "Publishing", "Webhook", logging,
      ],
      path: "Sources/Apps/DeliveryTargets", swiftSettings: strict),
    app(
      "beaconmond",
      [
        "Addresses", "Authorization", "BeaconAdvertising", "Beacons", "BlueZ", "Calendars", "Captures", "ClientSessions", "ConsentService",
        "DBus", "Departures", "EventLoop", "Events", "Failures", "Geocoding", "Guidance", "HeadingSources", "Instants", "Journal",
        "LearnedState",
        "LocationArbitration", "LocationSources", "Locations", "Metrics", "MetricsService", "MonitorConfiguration", "MonitorProtocol",
        "MonitorService", "Monitoring", "Nominatim", "Orientation", "Positioning", "ProgramSupport", "ProgramVersion", "Proximity",
        "RadioHealth", "RadioReceivers", "Ranging", "Records", "Reloading", "SQLite", "Simulation", "Status", "VenueEditing",
        "Venues", "VisitStatistics", logging,
      ]),

    app(
      "beaconmon-notifier",
      [
        "Beacons", "BrokerPublishing", "Consent", "DBus", "DeliveryScheduling", "DeliveryTargets", "DigestFiles", "EventActions",
        "EventLoop", "EventOutbox",
        "Events", "Failures", "FleetMessages", "FleetReporting", "Instants", "LocalEndpoints", "LocalTargets",
        "Locations", "Metrics", "MetricsService", "MonitorClient", "MonitorConfiguration", "MonitorProtocol", "Notification",
        "PositionSharing", "ProgramSupport", "ProgramVersion", "Publishing", "RadioHealth", "Records", "Regions", "Reloading", "Rollouts",
        "SQLite", "ServiceLog", "ShareFiles", "Sharing", "Status", "Venues", logging,
      ]),

    app(
      "beaconmon-web",
      [
        "Beacons", "Consent", "DBus", "ErrorMapping", "EventLoop", "Events", "Failures", "HTTPServer", "Instants", "LocalEndpoints",
        "MonitorClient", "MonitorConfiguration", "MonitorProtocol", "ProgramSupport", "ProgramVersion", "Records", "SessionFiles",
        "Venues", "Visits", "WebAccess", "WebFiles", "WebPage", logging,
      ]),

    app(
      "beaconmon",
      [
        "Authorization", "BeaconAdvertising", "Beacons", "BlueZ", "Calendars", "Captures", "ClientCommands", "ConfigurationTree", "Consent",
        "DBus", "Diagnosis", "EventActions", "EventLoop", "Events", "Failures", "Geodesy", "Geotagging", "HeadingSources", "Headings",
        "IMDF",
        "IndoorPositioning", "Instants", "LocalTargets", "LocationArbitration", "Locations", "MachineProbes", "MonitorClient",
        "MonitorConfiguration", "MonitorProtocol", "Notification", "Numerals", "Orientation", "Photos", "ProgramSupport", "ProgramVersion",
        "Proximity", "Ranging",
        "Records", "Regions", "Replays", "RouteReports", "Scoring", "ServiceLog", "Setup", "ShareReports", "SignalCalibration",
        "Simulation",
        "Speech", "Status", "Surveys", "Terminal", "TrackRecordings", "Venues", "Visits", "Wayfinding", "WebAccess", "Webhook",
        argumentParser,
        logging,
      ]),

    // MARK: Examples
    .executableTarget(
      name: "nearest", dependencies: ["Beaconmon"], path: "Docs/examples/nearest/swift/Sources/nearest", swiftSettings: strict),

    .executableTarget(name: "here", dependencies: ["Beaconmon"], path: "Docs/examples/here/swift/Sources/here", swiftSettings: strict),

    .executableTarget(
      name: "panorama", dependencies: ["Beaconmon"], path: "Docs/examples/panorama/swift/Sources/panorama", swiftSettings: strict),

    // MARK: Benchmarks
    benchmark(
      "beaconmon-bench",
      [
        "BeaconAdvertising", "Beacons", "BlueZ", "DBus", "EventLoop", "Events", "Geodesy", "Geomagnetism", "HCI", "Headings",
        "IndoorPositioning", "Instants", "Proximity", "RadioHealth", "Ranging", "Regions", "SensorSimulation", "SimulatedWalks", "Venues",
        "Wayfinding",
      ]),

    // MARK: Tests
    support(
      "TestSupport",
      [
        "BrokerPublishing", "Consent", "ConsentService", "DeliveryScheduling", "EventLoop", "Events", "FleetMessages", "FleetReporting",
        "Instants", "Publishing", "Records", "Scheduling", "Seeds", logging,
      ],
      exclude: ["Peers"]),
    // The walks that the tests of Wayfinding judge, and that beaconmon-bench counts.
    support("SimulatedWalks", ["Geodesy", "Instants", "RouteReports", "Seeds", "Venues", "Wayfinding", realModule]),
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/Damage/CFaultVFS", publicHeadersPath: "include"),
    damage(
      "StoredFiles",
      [
        "Addresses", "Authorization", "BeaconAdvertising", "BeaconHealth", "Beacons", "CFaultVFS", "CSQLite", "Consent",
        "DeliveryScheduling", "Departures", "EventLoop", "EventOutbox", "Events", "Geodesy", "HeadingSources", "Headings",
        "IndoorPositioning", "Instants", "Journal", "LearnedState",
        "LocalTargets", "Locations", "MonitorConfiguration", "Monitoring", "Nominatim", "Notification", "Orientation", "Ranging",
        "Records", "Regions",
        "SQLite", "Seeds", "SensorRecordings", "Surveys", "VenueEditing", "Venues", "VisitStatistics", "Visits", "Wayfinding", logging,
      ]),
    .testTarget(
      name: "DamageTests", dependencies: ["TestSupport", "damage-trial"], path: "Tests/Damage/DamageTests", swiftSettings: strict),
    .executableTarget(name: "damage-trial", dependencies: ["StoredFiles"], path: "Tests/Damage/DamageTrial", swiftSettings: strict),
    tests("InstantsTests", ["Instants", "TestSupport"]),
    tests(
      "StatusTests",
      [
        "BeaconAdvertising", "Beacons", "Consent", "Events", "Instants", "Locations", "RadioHealth", "Ranging", "Records", "ShareReports",
        "Status", "TestSupport", "Venues",
      ]),
    tests("AddressesTests", ["Addresses", "Geodesy", "Instants", "Locations"]),
    tests("GeocodingTests", ["Addresses", "Geocoding", "Geodesy", "Instants", "Locations", "Status", "TestSupport"]),
    tests("NominatimTests", ["Addresses", "EventLoop", "Geocoding", "Geodesy", "Instants", "Locations", "Nominatim", "TestSupport"]),
    tests("FleetMessagesTests", ["Beacons", "FleetMessages"]),
    tests("RecordsTests", ["Instants", "Records", "TestSupport"]),
    tests("ConsentTests", ["Consent", "Instants"]),
    tests("NumeralsTests", ["Numerals"]),
    tests("EventsTests", ["Beacons", "Events", "Instants", "Records", "TestSupport"]),
    tests("ConsentServiceTests", ["Consent", "ConsentService", "Instants", "Regions", "Status", "TestSupport", logging]),
    tests("DiagnosticsTests", ["Diagnostics", "Events", "Records", "TestSupport"]),
    tests("AuthorizationTests", ["Authorization", "Consent", "Instants", "SQLite", "TestSupport"]),
    tests("DiagnosisTests", ["Diagnosis", "Instants", "RadioHealth", "Status"]),
    tests("MachineProbesTests", ["Diagnosis", "Instants", "MachineProbes", "TestSupport"]),
    tests("TOMLTests", ["ConfigurationTree", "TOML", "TestSupport"]),
    tests("EventActionsTests", ["Beacons", "EventActions", "Events", "Instants", "Records", "TestSupport"]),
    tests(
      "DeparturesTests",
      [
        "Departures", "Events", "Geodesy", "Instants", "LocationArbitration", "Locations", "Positioning", "Status", "TestSupport", "Venues",
        "Wayfinding", logging,
      ]),
    tests("CalendarsTests", ["Calendars", "Departures", "EventLoop", "Instants", "TestSupport"]),
    tests("BeaconsTests", ["Beacons", "Instants", "Records"]),
    tests("BeaconAdvertisingTests", ["BeaconAdvertising", "Beacons", "Instants", "Records", "TestSupport"]),
    tests("RangingTests", ["BeaconAdvertising", "Beacons", "Instants", "Ranging", "Seeds"]),
    tests("RegionsTests", ["Regions", "TestSupport"]),
    tests(
      "ProximityTests",
      [
        "BeaconAdvertising", "Beacons", "Events", "Geodesy", "IndoorPositioning", "Instants", "Locations", "Motion", "Proximity",
        "Ranging", "Records", "Regions",
        "TestSupport", "Venues", realModule,
      ]),
    tests(
      "ScoringTests",
      [
        "BeaconAdvertising", "Beacons", "Events", "IndoorPositioning", "Instants", "Proximity", "Ranging", "Records", "Regions",
        "Scoring", "Seeds", "SignalCalibration", "TestSupport", "Venues", realModule,
      ]),
    tests(
      "SimulationTests",
      [
        "BeaconAdvertising", "Beacons", "Geodesy", "IndoorPositioning", "Instants", "Locations", "Proximity", "Records", "Regions",
        "RouteReports", "Scoring", "Simulation", "Venues", "Wayfinding",
      ]),
    tests(
      "LocationArbitrationTests", ["Geodesy", "Instants", "LocationArbitration", "Locations", "Motion", "Seeds", "TestSupport", realModule]),
    tests("GeodesyTests", ["Geodesy", "TestSupport", realModule]),
    tests("GeomagnetismTests", ["Geodesy", "Geomagnetism", "TestSupport"], exclude: ["generate-model", "generate-points"]),
    tests("MotionTests", ["Headings", "Instants", "Motion", "Seeds", "SensorSimulation", realModule]),
    tests("HeadingsTests", ["Geodesy", "Geomagnetism", "Headings", "Instants", "Seeds", "SensorSimulation", realModule]),
    tests("SignalCalibrationTests", ["Beacons", "Seeds", "SignalCalibration", realModule]),
    tests("SensorRecordingsTests", ["Headings", "Instants", "Locations", "Records", "SensorRecordings"]),
    tests(
      "HeadingSourcesTests",
      [
        "DBus", "EventLoop", "Geodesy", "HeadingSources", "Headings", "Instants", "LocationArbitration", "Locations", "Motion",
        "Orientation",
        "Records", "SensorRecordings", "SensorSimulation", "TestSupport", logging,
      ]),
    tests(
      "OrientationTests",
      [
        "Headings", "Instants", "LocationArbitration", "Locations", "Orientation", "Positioning", "SensorSimulation",
        "TestSupport",
        logging,
      ]),
    tests("LocationsTests", ["Geodesy", "Instants", "Locations", "Records"]),
    tests("GPSDTests", ["GPSD", "Instants", "Locations", "Records", "TestSupport"]),
    tests(
      "LocationSourcesTests",
      [
        "DBus", "EventLoop", "Geodesy", "Instants", "LocationArbitration", "LocationSources", "Locations", "Positioning", "Records",
        "TestSupport",
      ]),
    tests(
      "LearnedStateTests",
      [
        "BeaconHealth", "Beacons", "Departures", "Headings", "IndoorPositioning", "Instants", "LearnedState", "Monitoring", "Orientation",
        "Ranging", "SQLite", "TestSupport", "Venues", "Wayfinding",
      ]),
    tests("VenuesTests", ["Beacons", "Geodesy", "Instants", "Seeds", "Venues", realModule]),
    tests(
      "GuidanceTests",
      [
        "Geodesy", "Guidance", "Headings", "Instants", "LocationArbitration", "Locations", "Motion", "Orientation", "Positioning",
        "RouteReports", "TestSupport", "Venues", "Wayfinding", logging,
      ]),
    tests(
      "WayfindingTests",
      [
        "Geodesy", "Instants", "RouteReports", "Seeds", "SimulatedWalks", "TestSupport", "Venues", "Wayfinding",
        realModule,
      ]),
    tests(
      "IndoorPositioningTests",
      [
        "BeaconAdvertising", "Beacons", "IndoorPositioning", "Instants", "Motion", "Seeds", "SensorSimulation", "TestSupport", "Venues",
        realModule,
      ]),
    tests("NMEATests", ["Geodesy", "Instants", "Locations", "NMEA", "Records", "TestSupport"]),
    tests(
      "NotificationTests",
      [
        "Beacons", "Consent", "DeliveryScheduling", "EventActions", "Events", "Failures", "FleetMessages", "FleetReporting", "Instants",
        "Metrics", "Notification", "Publishing", "RadioHealth", "Records", "Regions", "TestSupport", "Venues",
      ]),
    tests(
      "PositioningTests",
      ["Geodesy", "Headings", "Instants", "LocationArbitration", "Locations", "Motion", "Positioning", "Records", "TestSupport", logging]),
    tests(
      "ClientSessionsTests",
      [
        "Beacons", "ClientSessions", "ConfigurationTree", "Consent", "ConsentService", "Departures", "Events", "Geodesy", "Guidance",
        "Headings", "Instants", "LocationArbitration", "Locations", "Monitoring", "Orientation", "Positioning", "Regions", "RouteReports",
        "Status", "TestSupport", "Venues", "Wayfinding", logging,
      ]),
    tests("EventLoopTests", ["EventLoop", "Instants", "Scheduling", "TestSupport"]),
    tests("DBusTests", ["DBus", "EventLoop", "Instants", "TestSupport"]),
    tests("SQLiteTests", ["EventLoop", "SQLite", "TestSupport"]),
    tests("RadioHealthTests", ["Beacons", "Instants", "RadioHealth", "TestSupport"]),
    tests(
      "BeaconHealthTests",
      ["BeaconAdvertising", "BeaconHealth", "Beacons", "Instants", "Regions", "Seeds"]),
    tests(
      "BlueZTests",
      [
        "BeaconAdvertising", "Beacons", "BlueZ", "DBus", "EventLoop", "Instants", "RadioHealth", "Ranging", "Records", "Status",
        "TestSupport",
      ]),
    tests(
      "RadioReceiversTests",
      [
        "BeaconAdvertising", "Beacons", "DBus", "EventLoop", "HCI", "Instants", "Proximity", "RadioHealth", "RadioReceivers", "Ranging",
        "TestSupport",
      ]),
    tests(
      "CapturesTests",
      [
        "BeaconAdvertising", "Beacons", "Captures", "EventLoop", "Failures", "Geotagging", "Instants", "Locations", "Monitoring", "Motion",
        "Proximity",
        "RadioHealth", "Ranging", "TestSupport", "TrackRecordings",
      ]),
    tests(
      "ReplaysTests",
      [
        "BeaconAdvertising", "Beacons", "Events", "Geodesy", "Instants", "Locations", "Motion", "Proximity", "Ranging", "Regions",
        "Records", "Replays", "TrackRecordings", "Venues",
      ]),
    tests("TrackRecordingsTests", ["Instants", "Locations", "Records", "TestSupport", "TrackRecordings"]),
    tests(
      "MonitorProtocolTests",
      [
        "BeaconAdvertising", "Beacons", "DBus", "Events", "Instants", "MonitorProtocol", "Proximity", "Ranging", "Records", "Regions",
        "TestSupport",
      ]),
    tests(
      "MonitoringTests",
      [
        "BeaconAdvertising", "BeaconHealth", "Beacons", "Captures", "ConfigurationTree", "Consent", "ConsentService", "EventLoop", "Events",
        "Geodesy", "IndoorPositioning", "Instants", "LocationArbitration", "Locations", "Monitoring", "Motion", "Positioning", "Proximity",
        "RadioHealth", "Ranging", "Records", "Regions", "Status", "TestSupport", "Venues", logging, realModule,
      ]),
    tests("MonitorServiceTests", ["DBus", "Instants", "MonitorService"]),
    tests(
      "MonitorClientTests",
      [
        "Beacons", "Consent", "DBus", "EventLoop", "Events", "Instants", "Locations", "MonitorClient", "MonitorProtocol", "Records",
        "TestSupport",
      ]),
    tests(
      "MonitorConfigurationTests",
      [
        "Addresses", "BeaconAdvertising", "BeaconHealth", "Beacons", "ConfigurationTree", "Consent", "DeliveryScheduling", "Departures",
        "EventActions", "Events", "Failures", "FleetMessages", "Geodesy", "Headings", "Instants", "LocalEndpoints", "Locations",
        "MonitorConfiguration", "Publishing", "RadioHealth", "Ranging", "Records", "Regions", "Seeds", "Setup", "Simulation", "TestSupport",
        "VenueEditing", "Venues",
      ]),
    tests(
      "JournalTests",
      [
        "BeaconAdvertising", "Beacons", "EventLoop", "Events", "Geodesy", "Instants", "Journal", "Monitoring", "Proximity", "Ranging",
        "Records", "Regions", "SQLite", "TestSupport",
      ]),
    tests("VisitsTests", ["Events", "Instants", "Records", "Visits"]),
    tests(
      "VisitStatisticsTests",
      ["Events", "Instants", "Journal", "Monitoring", "Regions", "SQLite", "TestSupport", "VisitStatistics", "Visits"]),
    tests("GeotaggingTests", ["Events", "Geodesy", "Geotagging", "Instants", "Locations", "TestSupport"]),
    tests("IMDFTests", ["Beacons", "Geodesy", "IMDF", "Instants", "MonitorConfiguration", "Seeds", "Venues", realModule]),
    tests("HCITests", ["BeaconAdvertising", "Beacons", "EventLoop", "HCI", "Instants", "Records", "TestSupport"]),
    tests(
      "TerminalTests",
      [
        "BeaconAdvertising", "Beacons", "Consent", "Diagnosis", "EventLoop", "Events", "Geodesy", "Geotagging", "Instants", "Locations",
        "RadioHealth", "Ranging", "Records", "RouteReports", "Scoring", "Seeds", "ShareReports", "Simulation", "Status",
        "Surveys", "Terminal", "TestSupport", "Venues",
      ]),
    tests(
      "SurveysTests",
      ["BeaconAdvertising", "Beacons", "Instants", "Records", "Regions", "Scoring", "Seeds", "Surveys", "Venues"]),
    tests("DeliverySchedulingTests", ["DeliveryScheduling", "Events", "Instants", "Records", "TestSupport"]),
    tests(
      "EventOutboxTests",
      [
        "DeliveryScheduling", "EventLoop", "EventOutbox", "Events", "Failures", "Instants", "Notification", "Records", "SQLite",
        "TestSupport",
      ]),
    tests("LocalTargetsTests", ["EventActions", "LocalTargets", "Notification", "TestSupport", "Venues"]),
    tests("PublishingTests", ["Beacons", "Events", "Publishing", "Records", "TestSupport"]),
    tests(
      "BrokerPublishingTests",
      ["BrokerPublishing", "DeliveryScheduling", "Events", "Instants", "Publishing", "Records", "TestSupport"]),
    tests(
      "MQTTTests",
      [
        "BrokerPublishing", "DeliveryScheduling", "EventLoop", "Events", "FleetMessages", "FleetReporting", "Instants", "MQTT",
        "Publishing", "Records", "TestSupport", logging,
      ]),
    tests("SharingTests", ["FleetMessages", "Instants", "Sharing"]),
    tests(
      "PositionSharingTests", ["Consent", "FleetMessages", "Instants", "PositionSharing", "Records", "Sharing", "Status", "TestSupport"]),
    tests(
      "FleetReportingTests",
      [
        "Beacons", "BrokerPublishing", "DeliveryScheduling", "EventActions", "Events", "FleetMessages", "FleetReporting", "Instants",
        "Publishing", "RadioHealth", "Records", "Status", "TestSupport",
      ]),
    tests("RolloutsTests", ["EventLoop", "FleetMessages", "FleetReporting", "Rollouts", "TestSupport"]),
    tests("DigestFilesTests", ["Beacons", "DigestFiles", "FleetMessages", "FleetReporting", "TestSupport"]),
    tests("ErrorMappingTests", ["Beacons", "EventLoop", "ErrorMapping", "TestSupport", "Venues", "WebPage"]),
    tests(
      "WebPageTests",
      [
        "Beacons", "Events", "Failures", "HTTPMessages", "Instants", "LocalEndpoints", "Locations", "Records", "TestSupport", "Venues",
        "Visits", "WebAccess", "WebPage",
      ]),
    tests("WebFilesTests", ["HTTPMessages", "TestSupport", "WebFiles", "WebPage"]),
    tests("DigestsTests", ["Digests"]),
    tests("SessionFilesTests", ["SessionFiles", "TestSupport", "WebAccess"]),
    tests("WebAccessTests", ["Instants", "TestSupport", "WebAccess"]),
    tests("VenueEditingTests", ["Instants", "TestSupport", "VenueEditing", "Venues", logging]),
    tests(
      "SetupTests",
      [
        "BeaconAdvertising", "Beacons", "ClientCommands", "Failures", "Instants", "Ranging", "Scoring", "Seeds", "Setup",
        "SignalCalibration", "Status", "Surveys", "TestSupport", "Venues",
      ]),
    tests("LocalEndpointsTests", ["LocalEndpoints"]),
    tests(
      "MetricsTests",
      [
        "BeaconAdvertising", "Beacons", "Events", "Instants", "Locations", "Metrics", "RadioHealth", "Records", "Status", "TestSupport",
      ]),
    tests("PhotosTests", ["Photos", "TestSupport"]),
    tests("ReloadingTests", ["Failures", "Instants", "Reloading", "Status", "TestSupport", logging]),
    tests("MetricsServiceTests", ["Instants", "LocalEndpoints", "Metrics", "MetricsService", "Records", "Status", "TestSupport"]),
    tests("ProgramSupportTests", ["DBus", "Failures", "ProgramSupport"]),
    tests("SpeechTests", ["ClientCommands", "EventLoop", "Failures", "Speech", "TestSupport"]),
    tests(
      "ClientCommandsTests",
      [
        "BeaconAdvertising", "Beacons", "ClientCommands", "Diagnosis", "Events", "Failures", "Instants", "Locations", "Proximity",
        "Ranging", "Records", "Scheduling", "ShareReports", "Status", "Surveys", "TestSupport", "Venues",
      ]),
    tests("HTTPServerTests", ["EventLoop", "HTTPMessages", "HTTPServer", "Instants", "LocalEndpoints", "TestSupport"]),
    tests("HTTPTests", ["EventLoop", "HTTP", "Instants", "TestSupport"]),
    tests("WebhookTests", ["DeliveryScheduling", "EventLoop", "Events", "Instants", "Records", "TestSupport", "Webhook"]),
    tests(
      "BeaconmonTests",
      ["Beaconmon", "Beacons", "Events", "Instants", "Locations", "MonitorClient", "Ranging", "Records", "TestSupport", "Venues"]),
    .executableTarget(name: "client-probe", dependencies: ["Beaconmon"], path: "Tests/ClientProbe", swiftSettings: strict),
    tests("IntegrationTests", ["Beaconmon", "EventLoop", "FleetMessages", "Instants", "TestSupport"], exclude: ["Peers"]),
  ],
)
