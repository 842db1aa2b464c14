// MARK: Guidance

extension SessionPlan {
  /// - Parameter options: they replace the earlier ones. The guidance begins again, even with the same options.
  mutating func startGuidance(_ options: GuidanceOptions) -> [Action] { start(.guiding(options)) }

  /// Whether signals belong to the guidance that was requested last, and not to one that it replaces.
  var isGuided: Bool { index(.guiding).map { items[$0].step == .granted } ?? false }

  /// Forgets a guidance that is over, so that the next session does not repeat it.
  mutating func guidanceEnded() { items.removeAll { $0.request == .guiding } }

  /// Repeats a guidance that was refused for another reason than consent, because a source may be present now.
  mutating func askForGuidance() -> [Action] {
    guard phase == .open, let index = index(.guiding), items[index].step == .refused(.other) else { return [] }
    return [ask(index)]
  }
}
