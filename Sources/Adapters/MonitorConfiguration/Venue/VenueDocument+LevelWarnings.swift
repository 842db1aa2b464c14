import Venues

// Warnings about the storeys.

extension VenueDocument {
  var overlaps: [ConfigurationProblem] {
    limited(
      venue.overlappingLevels.map { first, second in
        warning(
          lines.levels[second],
          "level \(venue.levels[second].id.quoted): ordinal: its areas overlap those of level \(venue.levels[first].id.quoted), which has the same ordinal "
            + "\(venue.levels[first].ordinal); give each storey its own")
      }, "overlapping levels")
  }

  /// Warnings about levels above a gap in the ordinals.
  ///
  /// The height of a level follows from its ordinal, and with it the attenuation between two levels.
  var ordinalGaps: [ConfigurationProblem] {
    let levels = venue.levels.indices.sorted { venue.levels[$0].ordinal < venue.levels[$1].ordinal }
    return limited(
      zip(levels, levels.dropFirst()).compactMap { below, above in
        let (low, high) = (venue.levels[below].ordinal, venue.levels[above].ordinal)
        guard high - low > 1 else { return nil }
        return warning(
          lines.levels[above],
          "level \(venue.levels[above].id.quoted): ordinal: \(high) is \(high - low) storeys above level \(venue.levels[below].id.quoted), and no level "
            + "has an ordinal between them; number the storeys without gaps, unless visitors cannot enter those between")
      }, "levels above gaps")
  }
}
