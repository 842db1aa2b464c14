import Instants
public import Wayfinding

/// The options of a client's guidance.
public struct GuidanceRequest: Hashable, Sendable {
  public var destination: GuidanceDestination
  public var profile: RouteProfile
  /// The distance in metres within which the visitor has arrived; nil for that of the place.
  public var radius: Double?
  /// The reader's language tags, the best one first.
  public var languages: [String]
  /// Whether lengths are metres; feet otherwise.
  public var isMetric: Bool

  /// The possible radii in metres, and speeds in m/s.
  public static let (radii, speeds) = (1.0...1000.0, 0.1...5.0)
  /// The radius in metres of a point outside of the venues, where positions are less accurate.
  ///
  /// In front of a venue, this is the maximum radius.
  static let radiusOutside = 10.0

  public init(
    _ destination: GuidanceDestination, profile: RouteProfile = .shortest, radius: Double? = nil, languages: [String] = [],
    isMetric: Bool = true
  ) {
    (self.destination, self.profile, self.radius) = (destination, profile, radius)
    (self.languages, self.isMetric) = (languages, isMetric)
  }
}

/// The options of a single route.
public struct RouteQuery: Hashable, Sendable {
  public var destination: GuidanceDestination
  /// The start of the route; nil for the present position.
  public var start: GuidanceDestination?
  public var profile: RouteProfile
  public var languages: [String]
  public var isMetric: Bool

  public init(
    to destination: GuidanceDestination, from start: GuidanceDestination? = nil, profile: RouteProfile = .shortest,
    languages: [String] = [],
    isMetric: Bool = true
  ) {
    (self.destination, self.start, self.profile) = (destination, start, profile)
    (self.languages, self.isMetric) = (languages, isMetric)
  }
}

/// A direction of the device in degrees clockwise from true north, and one sigma of it.
public struct TrustedHeading: Hashable, Sendable {
  public var degrees: Double
  public var accuracy: Double

  public init(degrees: Double, accuracy: Double) {
    (self.degrees, self.accuracy) = (degrees, accuracy)
  }
}

/// The reason why there is no heading.
public enum HeadingNote: Hashable, Sendable {
  case noCompass
  case uncalibrated
  case disturbed
  /// A problem of the source, in the words of the service.
  case other(String)

  func text(_ text: GuidanceText) -> String {
    switch self {
    case .noCompass: text.obstacle(.noCompass)
    case .uncalibrated: text.obstacle(.compassUncalibrated)
    case .disturbed: text.obstacle(.compassDisturbed)
    case .other(let message): message
    }
  }
}

/// The reason why a guide cannot lead at present.
public struct GuidanceFailure: Hashable, Sendable {
  public enum Reason: CaseIterable, Sendable {
    case locationUnknown
    case noRoute
  }

  public let reason: Reason
  public let message: String

  public init(_ reason: Reason, _ message: String) {
    (self.reason, self.message) = (reason, message)
  }
}

extension GuidanceRefusal {
  /// The end of a guidance that a changed venue or config makes impossible.
  public var end: GuidanceEnd { GuidanceEnd(reason == .noLocationSource ? .noLocationSource : .destinationGone, message) }
}

/// The end of a guidance.
public struct GuidanceEnd: Hashable, Sendable {
  public enum Reason: String, CaseIterable, Sendable {
    case arrived
    /// A reload has removed the place, the level or the venue.
    case destinationGone
    /// The user has withdrawn consent.
    case notAuthorized
    /// A reload has removed all sources of locations.
    case noLocationSource
  }

  public let reason: Reason
  public let message: String

  public init(_ reason: Reason, _ message: String) {
    (self.reason, self.message) = (reason, message)
  }
}
