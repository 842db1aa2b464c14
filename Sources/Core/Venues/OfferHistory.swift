public import Instants

/// The decisions of a user about the offers of venues, and the visits in which offers were shown.
public struct OfferHistory: Hashable, Sendable {
  /// One venue.
  public struct Entry: Hashable, Sendable {
    public var isMuted: Bool
    /// The launches of an imported venue that the user allows, as `OfferReport.target` names them; nil for none.
    public var allowed: String?
    /// The beginning of the last visit; nil before the first one.
    public var entered: Instant?
    /// The time at which the device left during the last visit; nil while it is there.
    public var left: Instant?
    /// Whether the offer was shown in the last visit.
    public var isOffered = false

    public init(isMuted: Bool = false) {
      self.isMuted = isMuted
    }
  }

  /// The absence after which a visit has ended. A shorter one does not cause a second offer.
  public static let absence = Span.seconds(1800)
  /// The time after which a visit without a known end has ended.
  public static let longestVisit = Span.seconds(86_400)
  /// The maximum number of venues. The ones without a decision and with the oldest visits are forgotten first.
  public static let most = 256

  public private(set) var entries: [String: Entry] = [:]
  /// Whether entries may be missing because the file was damaged. Venues without an entry then count as muted.
  public private(set) var isUnverified: Bool

  public init(isUnverified: Bool = false) {
    self.isUnverified = isUnverified
  }

  init(_ entries: [String: Entry], isUnverified: Bool) {
    self.entries = entries
    self.isUnverified = isUnverified
  }

  public func isMuted(_ venue: String) -> Bool { entries[venue]?.isMuted ?? isUnverified }

  /// Returns whether the user lets an offer be shown: it is not muted, and an imported one is allowed.
  public func permits(_ offer: OfferReport) -> Bool {
    guard let venue = offer.venue, !isMuted(venue) else { return false }
    return offer.isImported != true || entries[venue]?.allowed == offer.target
  }

  // MARK: Decisions

  /// Mutes a venue, or shows its offers again.
  public mutating func setMuted(_ isMuted: Bool, _ venue: String) {
    change(venue) { $0.isMuted = isMuted }
  }

  /// Shows the offers of all venues again, even after damage.
  public mutating func unmuteAll() {
    isUnverified = false
    for venue in entries.keys { entries[venue]?.isMuted = false }
  }

  /// Allows the launches of an imported venue, or none.
  public mutating func allow(_ target: String?, _ venue: String) {
    change(venue) { $0.allowed = target }
  }

  /// Adds the intact entries of a damaged history. Venues without an entry then count as muted.
  public mutating func restore(_ damaged: OfferHistory) {
    isUnverified = true
    entries.merge(damaged.entries) { newer, _ in newer }
  }

  /// Makes an entry for a venue whose region is registered, so that it can be removed later.
  public mutating func note(_ venue: String) {
    change(venue) { _ in }
  }

  // MARK: Visits

  /// Begins a visit, or continues the last one.
  ///
  /// - Returns: whether the offer was not shown in this visit yet.
  public mutating func enter(_ venue: String, at time: Instant) -> Bool {
    change(venue) { entry in
      let isSame =
        entry.left.map { Self.distance($0, time) < Self.absence } ?? entry.entered.map { Self.distance($0, time) < Self.longestVisit }
      if isSame == true {
        entry.left = nil
      } else {
        (entry.entered, entry.left, entry.isOffered) = (time, nil, false)
      }
    }
    return entries[venue]?.isOffered == false
  }

  /// Applies that the device has left a venue.
  public mutating func leave(_ venue: String, at time: Instant) {
    guard entries[venue]?.entered != nil, entries[venue]?.left == nil else { return }
    change(venue) { $0.left = time }
  }

  /// Applies that the offer was shown.
  public mutating func noteOffered(_ venue: String) {
    change(venue) { $0.isOffered = true }
  }

  /// Returns the venues where the device still is at `time`, and whose offers were not shown in this visit.
  public func unseen(at time: Instant) -> [String] {
    entries.filter { _, entry in
      guard let entered = entry.entered, entry.left == nil, !entry.isOffered else { return false }
      return Self.distance(entered, time) < Self.longestVisit
    }
    .keys.sorted()
  }

  /// Returns the time between two readings of a clock that may have been set in between.
  private static func distance(_ a: Instant, _ b: Instant) -> Span { a < b ? b - a : a - b }

  private mutating func change(_ venue: String, _ body: (inout Entry) -> Void) {
    var entry = entries[venue] ?? Entry(isMuted: isUnverified)
    body(&entry)
    entries[venue] = entry
    while entries.count > Self.most, let oldest = entries.filter({ $0.key != venue }).min(by: { Self.precedes($0, $1) }) {
      entries[oldest.key] = nil
    }
  }

  /// Returns whether `a` is forgotten before `b`.
  private static func precedes(_ a: (key: String, value: Entry), _ b: (key: String, value: Entry)) -> Bool {
    func isDecided(_ entry: Entry) -> Bool { entry.isMuted || entry.allowed != nil }
    if isDecided(a.value) != isDecided(b.value) { return isDecided(b.value) }
    let (first, second) = (a.value.entered ?? Instant(microseconds: .min), b.value.entered ?? Instant(microseconds: .min))
    return (first, a.key) < (second, b.key)
  }
}
