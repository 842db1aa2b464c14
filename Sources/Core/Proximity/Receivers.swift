/// What the receivers of a source can do.
public enum Receivers: Hashable, Sendable {
  /// All of them the same, however many there are.
  case all(Reception)
  /// Each by its number in sightings; those beyond the end are lost.
  case each([Reception])
}
