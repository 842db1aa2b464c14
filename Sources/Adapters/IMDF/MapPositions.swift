import Geodesy
import Venues

/// The coordinates of the features of an archive, whatever the order of the axes in its files.
///
/// GeoJSON has the longitude first. Archives of other programs have the latitude first in some files or in all. Impossible values, the
/// `display_point` of the venue and the other files show it.
struct MapPositions {
  /// The largest distance of a feature from the middle of the venue in metres.
  static let mostDistance = 10_000.0

  /// The files with the latitude first.
  private var swapped: Set<String> = []
  /// The middle of the venue.
  private(set) var center: Coordinate

  /// - Parameter isLatitudeFirst: whether all files have the latitude first, by the user's statement.
  /// - Throws: if no file has a usable position.
  init(_ content: IMDFContent, isLatitudeFirst: Bool, _ notes: inout NoteList) throws(IMDFError) {
    let medians = Self.fileTypes.compactMap { type in FileMedian(content[type]) }
    guard !medians.isEmpty else {
      throw .invalid("the archive has no level, unit or other feature with a position; there is nothing to import")
    }
    if isLatitudeFirst {
      swapped = Set((IMDFFormat.featureTypes + [IMDFFormat.beacon]).map { $0 + IMDFFormat.suffix })
    } else {
      swapped = Self.swappedFiles(medians, content, &notes)
    }
    let files = swapped
    let oriented = medians.map { files.contains($0.file) ? $0.median.swapped : $0.median }
    guard let center = oriented.compactMap(\.coordinate).first else {
      throw .invalid("no position of the archive is a latitude and a longitude in degrees (WGS84)")
    }
    self.center = center
  }

  /// The types whose files can be judged, the most reliable ones first.
  private static let fileTypes = [
    "unit", "level", "footprint", "venue", "amenity", "anchor", "opening", "section", "kiosk", "detail", IMDFFormat.beacon,
  ]

  /// Returns the coordinate of a position; nil if it is impossible, or far away from the venue.
  func coordinate(of position: RawPosition, in file: String) -> Coordinate? {
    let position = swapped.contains(file) ? position.swapped : position
    guard let coordinate = position.coordinate, coordinate.distance(to: center) <= Self.mostDistance else { return nil }
    return coordinate
  }

  /// Returns the `display_point` of a feature in the order of axes that brings it near to the venue.
  func displayPoint(of feature: IMDFFeature) -> Coordinate? {
    guard let position = feature["display_point"]?["coordinates"].flatMap(RawPosition.init) else { return nil }
    let candidates = [position, position.swapped].compactMap(\.coordinate).map { ($0, $0.distance(to: center)) }
    return candidates.min { $0.1 < $1.1 }.flatMap { $0.1 <= Self.mostDistance ? $0.0 : nil }
  }

  // MARK: Order of axes

  private static func swappedFiles(_ medians: [FileMedian], _ content: IMDFContent, _ notes: inout NoteList) -> Set<String> {
    var swapped: Set<String> = []
    for file in medians where file.isImpossible { swapped.insert(file.file) }
    let undecided = medians.filter { !$0.isImpossible && !$0.isDecided }
    let venue = content["venue"].first
    let display = venue?["display_point"]?["coordinates"].flatMap(RawPosition.init)
    let decided = medians.first { $0.isImpossible || $0.isDecided }.map { $0.isImpossible ? $0.median.swapped : $0.median }
    let stated = display?.coordinate ?? display?.swapped.coordinate
    if let reference = decided?.coordinate ?? stated ?? medians.first?.median.coordinate {
      let outlying = undecided.filter { $0.isSwapped(by: reference) }
      if display != nil, outlying.count == medians.count, displayPointsAgree(content) {
        notes.warn("\"display_point\" has the latitude first, and is ignored", file: "venue" + IMDFFormat.suffix, feature: venue?.label)
      } else {
        swapped.formUnion(outlying.map(\.file))
      }
    }
    for file in medians.map(\.file) where swapped.contains(file) {
      notes.warn("the latitude stands before the longitude; the axes are swapped", file: file)
    }
    return swapped
  }

  /// Returns whether the display points of levels and units lie nearer to their features as they stand than swapped.
  private static func displayPointsAgree(_ content: IMDFContent) -> Bool {
    var balance = 0
    for type in ["unit", "level", "footprint", "section"] {
      for feature in content[type] {
        guard let display = feature["display_point"]?["coordinates"].flatMap(RawPosition.init),
          let position = feature.geometry.flatMap(RawGeometry.init)?.positions.first
        else { continue }
        balance += display.squaredDistance(to: position) <= display.swapped.squaredDistance(to: position) ? 1 : -1
      }
    }
    return balance > 0
  }

  /// The middle of the positions of a file.
  private struct FileMedian {
    let file: String
    let median: RawPosition
    /// Whether positions are impossible with the longitude first, and fewer with the latitude first.
    let isImpossible: Bool
    /// Whether positions are impossible with the latitude first.
    let isDecided: Bool

    /// Nil if no feature has a position, apart from those near 0, 0.
    init?(_ features: [IMDFFeature]) {
      var positions: [RawPosition] = []
      for feature in features {
        guard let geometry = feature.geometry.flatMap(RawGeometry.init) else { continue }
        positions += geometry.positions.filter { !$0.isNearZero }
      }
      guard let file = features.first?.file, !positions.isEmpty else { return nil }
      let (impossible, impossibleSwapped) = (
        positions.count { $0.coordinate == nil }, positions.count { $0.swapped.coordinate == nil }
      )
      self.file = file
      isImpossible = impossible > impossibleSwapped
      isDecided = impossible < impossibleSwapped
      let (xs, ys) = (positions.map(\.x).sorted(), positions.map(\.y).sorted())
      median = RawPosition(x: xs[xs.count / 2], y: ys[ys.count / 2])
    }

    /// Returns whether the file is near the reference only with the latitude first.
    func isSwapped(by reference: Coordinate) -> Bool {
      guard let place = median.swapped.coordinate, place.distance(to: reference) <= mostDistance else { return false }
      return median.coordinate.map { $0.distance(to: reference) > mostDistance } ?? true
    }
  }
}

extension RawPosition {
  fileprivate func squaredDistance(to other: RawPosition) -> Double {
    (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)
  }
}
