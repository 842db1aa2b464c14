import BeaconAdvertising
import IndoorPositioning
import Instants

/// The learned offsets of one receiver at one venue, which outlive the process.
public struct LearnedReceiver: Hashable, Sendable {
  /// The id of the venue.
  public var venue: String
  /// The address of the adapter, or another name that stays the same.
  public var adapter: String
  /// The configured RSSI offset in dB while the receiver learned. With another one, what it learned is wrong.
  public var rssiOffset: Double
  public var radio: LearnedRadio
  /// The start of learning since the Unix epoch; nil if the clock was not known then.
  public var since: Instant?

  public init(venue: String, adapter: String, rssiOffset: Double = 0, radio: LearnedRadio, since: Instant? = nil) {
    self.venue = venue
    self.adapter = adapter
    self.rssiOffset = rssiOffset
    self.radio = radio
    self.since = since
  }
}

/// The file of learned offsets.
public protocol LearnedFile: AnyObject {
  /// The stored receivers; those that cannot be read are missing, and are learned again.
  func load() -> [LearnedReceiver]
  /// Replaces the stored receivers. A failure is logged once, and the next call tries again.
  func save(_ receivers: [LearnedReceiver])
  /// The stored evidence about misplaced beacons, by the id of the venue; call after `load`.
  func loadPlacements() -> [String: [PlacementEvidence]]
  /// Replaces the stored evidence of these venues. A failure is logged once, and the next call tries again.
  func save(_ placements: [String: [PlacementEvidence]])
  /// Removes the receivers of a venue, or of all if it is nil, and of an adapter, or of all if it is nil.
  ///
  /// Without an adapter, also removes the evidence about misplaced beacons.
  func remove(venue: String?, adapter: String?)
}

/// The learned offsets by name of the adapter, although sightings carry numbers that differ from one run to the next.
struct LearnedReceivers {
  private let file: (any LearnedFile)?
  private(set) var all: [LearnedReceiver] = []
  /// The evidence about misplaced beacons, by the id of the venue.
  private(set) var placements: [String: [PlacementEvidence]] = [:]
  private var isLoaded = false

  init(_ file: (any LearnedFile)?) {
    self.file = file
  }

  /// Reads the file, once. A daemon without venues has no such file.
  mutating func load() {
    guard !isLoaded else { return }
    isLoaded = true
    all = file?.load() ?? []
    placements = file?.loadPlacements() ?? [:]
  }

  /// Returns what was learned about the adapters of a roster, by venue and number.
  func byNumber(_ roster: AdapterRoster) -> [String: [UInt16: LearnedRadio]] {
    var result: [String: [UInt16: LearnedRadio]] = [:]
    for number in 0..<UInt16(AdapterRoster.most) {
      guard let name = roster.name(of: number) else { break }
      for receiver in all where receiver.adapter == name && receiver.rssiOffset == roster.rssiOffset(of: number) {
        result[receiver.venue, default: [:]][number] = receiver.radio
      }
    }
    return result
  }

  /// Returns whether an adapter of the roster has offsets that the tracker lacks.
  /// The adapter was unknown when the tracker was made.
  func hasMore(than learned: [String: [UInt16: LearnedRadio]], _ roster: AdapterRoster) -> Bool {
    byNumber(roster).contains { venue, radios in
      guard let known = learned[venue] else { return false }
      return radios.keys.contains { known[$0] == nil }
    }
  }

  /// Takes what the tracker has learned. Receivers that it does not know are kept.
  ///
  /// - Parameter time: the time since the Unix epoch, for receivers that have begun to learn; nil if it is unknown.
  mutating func update(_ learned: [String: [UInt16: LearnedRadio]], _ roster: AdapterRoster, at time: Instant?) {
    for (venue, radios) in learned {
      for (number, radio) in radios {
        guard let name = roster.name(of: number) else { continue }
        let offset = roster.rssiOffset(of: number)
        // Values that an adapter learned with another offset are wrong, so it learns them again.
        all.removeAll { $0.venue == venue && $0.adapter == name && $0.rssiOffset != offset }
        if let index = all.firstIndex(where: { $0.venue == venue && $0.adapter == name }) {
          all[index].radio = radio
        } else {
          all.append(LearnedReceiver(venue: venue, adapter: name, rssiOffset: offset, radio: radio, since: time))
        }
      }
    }
    all.sort { ($0.venue, $0.adapter) < ($1.venue, $1.adapter) }
  }

  /// Takes the evidence about misplaced beacons. That of venues that the tracker does not know is kept.
  mutating func update(_ placements: [String: [PlacementEvidence]]) {
    for (venue, evidence) in placements { self.placements[venue] = evidence.isEmpty ? nil : evidence }
  }

  /// Forgets the receivers of a venue and an adapter, nil for all, and returns how many there were.
  mutating func remove(venue: String?, adapter: String?) -> Int {
    let before = all.count
    all.removeAll { (venue == nil || $0.venue == venue) && (adapter == nil || $0.adapter == adapter) }
    if adapter == nil { placements = placements.filter { venue != nil && $0.key != venue } }
    file?.remove(venue: venue, adapter: adapter)
    return before - all.count
  }

  /// Stores everything that was learned.
  func save() {
    if !all.isEmpty { file?.save(all) }
    if !placements.isEmpty { file?.save(placements) }
  }
}
