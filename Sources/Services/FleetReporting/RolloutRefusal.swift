/// The reason for which a rollout is not used.
struct RolloutRefusal: Error, CustomStringConvertible {
  let description: String
  /// Whether the rollout may be used later.
  let isTemporary: Bool

  init(_ description: String, isTemporary: Bool = false) {
    (self.description, self.isTemporary) = (description, isTemporary)
  }
}
