import BeaconAdvertising
import IndoorPositioning
import Instants
import Ranging

/// The learned offsets by the name of the adapter, because adapter numbers differ from one run to the next.
struct LearnedReceivers {
  /// Stored offsets that apply to an adapter that is present.
  struct Stored: Equatable {
    let venue: String
    let adapter: UInt16
    let radio: LearnedRadio
  }

  /// A receiver at a venue with its configured level.
  private struct Key: Hashable {
    let venue, adapter: String
    let level: ConfiguredLevel
  }

  private let file: (any LearnedFile)?
  private(set) var all: [LearnedReceiver] = []
  /// The evidence about misplaced beacons, by the id of the venue.
  private(set) var placements: [String: [PlacementEvidence]] = [:]
  /// The offsets that are not suggested.
  private(set) var refused: [RefusedOffset.Key: Double] = [:]
  /// Whether the file was read. Until then nothing is written, because it would replace what was learned before.
  private var isLoaded = false
  /// The receivers that the tracker continues. Offsets of other receivers do not replace stored ones from more seconds.
  private var continued: Set<Key> = []

  init(_ file: (any LearnedFile)?) {
    self.file = file
    isLoaded = file == nil
  }

  /// Reads the file unless it has been read, and merges it with the offsets learned meanwhile.
  ///
  /// Of two offsets of one receiver, the one from more seconds takes precedence.
  ///
  /// A daemon without venues has no such file.
  ///
  /// - Returns: whether the file has been read by this call.
  @discardableResult
  mutating func load() -> Bool {
    guard !isLoaded, let stored = file?.load(), let storedPlacements = file?.loadPlacements(), let refusals = file?.loadRefusals()
    else { return false }
    isLoaded = true
    refused.merge(refusals.map { ($0.key, $0.offset) }) { newer, _ in newer }
    for receiver in stored {
      guard let index = all.firstIndex(where: { $0.venue == receiver.venue && $0.adapter == receiver.adapter }) else {
        all.append(receiver)
        continue
      }
      let known = all[index]
      guard known.level == receiver.level, receiver.radio.seconds > known.radio.seconds,
        !known.radio.isDistrusted || receiver.radio.isDistrusted
      else { continue }
      all[index] = receiver
      continued.remove(Self.key(receiver))
    }
    for (venue, evidence) in storedPlacements {
      let known = Dictionary((placements[venue] ?? []).map { ($0.transmitter, $0) }) { first, _ in first }
      let merged = Dictionary(evidence.map { ($0.transmitter, $0) }) { first, _ in first }.merging(known) {
        $0.plan == $1.plan && $0.seconds > $1.seconds ? $0 : $1
      }
      placements[venue] = merged.values.sorted { $0.transmitter < $1.transmitter }
    }
    return true
  }

  private static func key(_ receiver: LearnedReceiver) -> Key {
    Key(venue: receiver.venue, adapter: receiver.adapter, level: receiver.level)
  }

  /// Returns the offsets of the adapters of a roster at their present levels, by venue and number, for a new tracker.
  mutating func byNumber(_ roster: AdapterRoster, _ ranging: RangingSettings) -> [String: [UInt16: LearnedRadio]] {
    continued = []
    var result: [String: [UInt16: LearnedRadio]] = [:]
    for stored in takeMissing(roster, ranging) { result[stored.venue, default: [:]][stored.adapter] = stored.radio }
    return result
  }

  /// Returns the stored offsets that the tracker lacks, which it then continues.
  ///
  /// Their adapter, or the file, was unknown when the tracker was made.
  mutating func takeMissing(_ roster: AdapterRoster, _ ranging: RangingSettings) -> [Stored] {
    var result: [Stored] = []
    for number in 0..<UInt16(AdapterRoster.most) {
      guard let name = roster.name(of: number) else { break }
      let level = ranging.level(of: number)
      for receiver in all where receiver.adapter == name && receiver.level == level && continued.insert(Self.key(receiver)).inserted {
        result.append(Stored(venue: receiver.venue, adapter: number, radio: receiver.radio))
      }
    }
    return result
  }

  /// Takes what the tracker has learned. Receivers that it does not know are kept.
  ///
  /// - Parameter time: the time since the Unix epoch, for receivers that have begun to learn; nil if it is unknown.
  mutating func update(
    _ learned: [String: [UInt16: LearnedRadio]], _ roster: AdapterRoster, _ ranging: RangingSettings, at time: Instant?
  ) {
    for (venue, radios) in learned {
      for (number, radio) in radios {
        guard let name = roster.name(of: number) else { continue }
        let level = ranging.level(of: number)
        let key = Key(venue: venue, adapter: name, level: level)
        // Values that an adapter learned at another configured level are wrong, so it learns them again.
        all.removeAll { $0.venue == venue && $0.adapter == name && $0.level != level }
        if let index = all.firstIndex(where: { $0.venue == venue && $0.adapter == name }) {
          if !continued.contains(key), all[index].radio.seconds > radio.seconds, !radio.isDistrusted { continue }
          all[index].radio = radio
        } else {
          all.append(LearnedReceiver(venue: venue, adapter: name, level: level, radio: radio, since: time))
        }
        continued.insert(key)
      }
    }
    // A level that is configured again later finds its stored offsets.
    let levels = Dictionary(
      (0..<UInt16(AdapterRoster.most)).compactMap { number in roster.name(of: number).map { ($0, ranging.level(of: number)) } }
    ) { first, _ in first }
    continued = continued.filter { levels[$0.adapter] == $0.level }
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
    refused = refused.filter { venue != nil && $0.key.venue != venue || adapter != nil && $0.key.adapter != adapter }
    file?.remove(venue: venue, adapter: adapter)
    return before - all.count
  }

  /// Refuses offsets, and stores them at once if the file has been read.
  mutating func refuse(_ offsets: [RefusedOffset]) {
    for offset in offsets { refused[offset.key] = offset.offset }
    save()
  }

  /// Stores everything that was learned, once the file has been read.
  func save() {
    guard isLoaded else { return }
    if !all.isEmpty { file?.save(all) }
    if !placements.isEmpty { file?.save(placements) }
    file?.save(refused.map { RefusedOffset($0.key, offset: $0.value) })
  }
}
