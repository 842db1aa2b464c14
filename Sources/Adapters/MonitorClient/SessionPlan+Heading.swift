import Records

// MARK: Heading

extension SessionPlan {
  /// - Parameter options: the options as `Session.StartUpdatingHeading` takes them; they replace earlier ones.
  mutating func startHeading(_ options: Record) -> [Action] {
    if let index = index(.heading) {
      var isRefused = false
      if case .refused = items[index].step { isRefused = true }
      guard isRefused || items[index].details != options else { return [] }
      items[index].details = options
    } else {
      items.append(Item(request: .heading, details: options))
    }
    return phase == .open ? index(.heading).map { [ask($0)] } ?? [] : []
  }

  /// Repeats a heading request that was refused for another reason than consent, because a source may be present now.
  mutating func askForHeading() -> [Action] {
    guard phase == .open, let index = index(.heading), items[index].step == .refused(.other) else { return [] }
    return [ask(index)]
  }
}
