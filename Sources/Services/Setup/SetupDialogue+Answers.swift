import Beacons

extension SetupDialogue {
  /// Takes a text that is not a command of the dialogue; nil if the next question follows.
  mutating func take(_ text: String) throws(SetupRefusal) -> SetupReply? {
    switch step {
    case .adapters: try takeAdapters(text)
    case .uuids:
      if text.lowercased() == "again", surroundings.canListen { return .listens }
      try takeUUIDs(text)
    case .venue: try takeVenue(text)
    case .grouping:
      let grouping = groupings[try Self.choice(text, of: groupings.count) - 1]
      answers.grouping = grouping
      answers.candidates = surroundings.candidates(grouping, of: answers.uuids, at: answers.venue?.content)
      answers.asksEachName = false
      answers.within = nil
    case .names: try takeNames(text)
    case .name(let index): answers.candidates[index].name = text
    case .within: try takeDistance(text)
    case .targets: try takeTargets(text)
    case .webhook: answers.webhook = text
    case .broker: answers.broker = try Self.broker(text)
    case .command: answers.command = text.split(separator: " ").map(String.init)
    case .review: return try takeReview(text)
    case .start: return try Self.isYes(text) ? .starts : .ends
    }
    return nil
  }

  private mutating func takeAdapters(_ text: String) throws(SetupRefusal) {
    let chosen = try Self.choices(text, of: surroundings.adapters.count + 1)
    guard !chosen.contains(1) else { return answers.adapters = nil }
    answers.adapters = chosen.map { surroundings.adapters[$0 - 2].address }
  }

  private mutating func takeUUIDs(_ text: String) throws(SetupRefusal) {
    answers.candidates = []
    answers.grouping = nil
    guard text.lowercased() != "none" else { return answers.uuids = [] }
    let heard = surroundings.uuids.map(\.uuid)
    var uuids: [BeaconUUID] = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init) {
      if let number = Int(part), part.count < 4 {
        guard heard.indices.contains(number - 1) else {
          throw SetupRefusal([
            "\(part) is not in the list; \(heard.isEmpty ? "type a UUID" : "type a number from 1 to \(heard.count), or a UUID")"
          ])
        }
        uuids.append(heard[number - 1])
      } else {
        do throws(BeaconUUIDError) { uuids.append(try BeaconUUID(part)) } catch { throw SetupRefusal(["\(error)"]) }
      }
    }
    guard !uuids.isEmpty else { throw SetupRefusal(["type a number or a UUID"]) }
    answers.uuids = uuids.enumerated().filter { uuids.firstIndex(of: $1) == $0 }.map(\.element)
  }

  private mutating func takeVenue(_ text: String) throws(SetupRefusal) {
    answers.candidates = []
    answers.grouping = nil
    guard text.lowercased() != "none" else { return answers.venue = nil }
    answers.venue = (text, try configuration.venue(at: text))
  }

  /// Takes names by commas, names of single beacons such as `1/5=door`, a pattern with `*`, or the wish to be asked for each.
  ///
  /// Other regions keep their names.
  private mutating func takeNames(_ text: String) throws(SetupRefusal) {
    answers.asksEachName = text.lowercased() == "each"
    guard text.lowercased() != Self.shownNames, !answers.asksEachName else { return }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
    let named = names.compactMap(namedRegion)
    if named.count == names.count {
      for (index, name) in named { answers.candidates[index].name = name }
      return
    }
    guard named.isEmpty else {
      throw SetupRefusal(["\(names.first { namedRegion($0) == nil } ?? "") names no region; begin each name with its beacon, or none"])
    }
    if names.count == 1, answers.candidates.count > 1, !names[0].contains("*") {
      throw SetupRefusal([
        "\(answers.candidates.count) regions need \(answers.candidates.count) names; separate them with commas, or write a pattern "
          + "such as \(names[0])-*"
      ])
    }
    if names.count == 1, names[0].contains("*") {
      let isOneMajor = Set(answers.candidates.map { $0.label.split(separator: "/")[0] }).count == 1
      for index in answers.candidates.indices {
        let parts = answers.candidates[index].label.split(separator: "/")
        let number = isOneMajor && parts.count > 1 ? String(parts[1]) : parts.joined(separator: "-")
        answers.candidates[index].name = names[0].replacing("*", with: number)
      }
      return
    }
    guard names.count <= answers.candidates.count else {
      throw SetupRefusal(["there are \(names.count) names for \(answers.candidates.count) regions"])
    }
    for (index, name) in names.enumerated() where !name.isEmpty { answers.candidates[index].name = name }
  }

  /// Returns the region and the name of an item such as `1/5=door`; nil for an item without the label of a region.
  private func namedRegion(_ item: String) -> (index: Int, name: String)? {
    let parts = item.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
    guard parts.count == 2, let index = answers.candidates.firstIndex(where: { $0.label == parts[0] }) else { return nil }
    return (index, parts[1])
  }

  private mutating func takeDistance(_ text: String) throws(SetupRefusal) {
    guard text.lowercased() != "none" else { return answers.within = nil }
    let number = text.lowercased().hasSuffix("m") ? String(text.dropLast()).trimmed : text
    guard let metres = Double(number.replacing(",", with: ".")), metres.isFinite else {
      throw SetupRefusal(["\"\(text)\" is not a distance; type metres, such as 3, or none"])
    }
    answers.within = metres
  }

  private mutating func takeTargets(_ text: String) throws(SetupRefusal) {
    let chosen = try Self.choices(text, of: TargetKind.allCases.count).compactMap { TargetKind(rawValue: $0) }
    guard !chosen.contains(.none) || chosen.count == 1 else { throw SetupRefusal(["1 cannot be combined with other numbers"]) }
    answers.targets = chosen
    (answers.webhook, answers.broker, answers.command) = ("", nil, [])
  }

  private func takeReview(_ text: String) throws(SetupRefusal) -> SetupReply {
    let review = try configuration.review(plan)
    if text.lowercased() == "show" {
      return .explained(review.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
    guard try Self.isYes(text) else { return .ends }
    guard !plan.isEmpty else { throw SetupRefusal(["there is nothing to write; \"back\" returns to the questions, and \"quit\" ends"]) }
    return .writes(plan)
  }

  // MARK: Kinds of answers

  private static func isYes(_ text: String) throws(SetupRefusal) -> Bool {
    switch text.lowercased() {
    case "y", "yes": true
    case "n", "no": false
    default: throw SetupRefusal(["type y or n"])
    }
  }

  private static func choice(_ text: String, of count: Int) throws(SetupRefusal) -> Int {
    let chosen = try choices(text, of: count)
    guard chosen.count == 1 else { throw SetupRefusal(["choose one number"]) }
    return chosen[0]
  }

  private static func choices(_ text: String, of count: Int) throws(SetupRefusal) -> [Int] {
    var chosen: [Int] = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      guard let number = Int(part), (1...count).contains(number) else {
        throw SetupRefusal(["\"\(part)\" is not in the list; type a number from 1 to \(count)"])
      }
      if !chosen.contains(number) { chosen.append(number) }
    }
    guard !chosen.isEmpty else { throw SetupRefusal(["type a number from 1 to \(count)"]) }
    return chosen.sorted()
  }

  /// Reads `host`, `host:port`, `mqtt://host` or `mqtts://host:port`.
  private static func broker(_ text: String) throws(SetupRefusal) -> SetupPlan.Target {
    let schemes = [("mqtts://", true), ("mqtt://", false)]
    let scheme = schemes.first { text.lowercased().hasPrefix($0.0) }
    let place = text.dropFirst(scheme?.0.count ?? 0)
    // An IPv6 address has several colons, and no port here.
    let parts = place.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return .broker(host: String(place), port: nil, isEncrypted: scheme?.1 ?? false) }
    guard let port = UInt16(parts[1]), port > 0 else {
      throw SetupRefusal(["\"\(parts[1])\" is not a port; type a host such as broker.local, or broker.local:1883"])
    }
    return .broker(host: String(parts[0]), port: Int(port), isEncrypted: scheme?.1 ?? (port == 8883))
  }
}
