public import Geodesy

/// The request for the address of a location. It leaves the device, so it contains no more than the answer needs.
///
/// The location is rounded to the middle of a cell, and devices in the same cell ask the same question.
public struct AddressQuery: Hashable, Sendable {
  /// The size of the cell, and the detail of the answer.
  public enum Precision: String, CaseIterable, Sendable {
    /// Cells of 0.0001°, which is 11 m along a meridian.
    case building
    /// Cells of 0.001°: the street, but no number and no name.
    case street
    /// Cells of 0.01°: the city, but no street and no postal code.
    case city

    /// The cells of a degree.
    var cells: Double {
      switch self {
      case .building: 10_000
      case .street: 1000
      case .city: 100
      }
    }

    var decimals: Int {
      switch self {
      case .building: 4
      case .street: 3
      case .city: 2
      }
    }

    /// The level of detail in Nominatim's terms.
    var zoom: Int {
      switch self {
      case .building: 18
      case .street: 16
      case .city: 10
      }
    }

    /// The worst accuracy in metres, one sigma, that permits such an answer.
    private var leastAccuracy: Double {
      switch self {
      case .building: 30
      case .street: 300
      case .city: .infinity
      }
    }

    /// Returns the best precision for an accuracy in metres, one sigma.
    static func permitted(by accuracy: Double) -> Precision { allCases.first { accuracy <= $0.leastAccuracy } ?? .city }
  }

  public let precision: Precision
  /// A language tag such as `de-AT`; nil for the language of the place.
  public let language: String?
  private let row, column: Int

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - accuracy: of the location, one sigma in metres; nil if it is unknown, which permits only the city.
  ///   - wanted: the accuracy that the client requests, in metres. A client that requests a coarse location gets a coarse address.
  ///   - language: a tag that is not well-formed is ignored.
  public init(_ coordinate: Coordinate, accuracy: Double?, wanted: Double = 0, language: String? = nil) {
    precision = accuracy.map { .permitted(by: max($0, wanted)) } ?? .city
    row = Int((coordinate.latitude * precision.cells).rounded())
    // Both sides of the date line are one meridian.
    let column = Int((coordinate.longitude * precision.cells).rounded())
    self.column = column == -180 * Int(precision.cells) ? -column : column
    self.language = language.flatMap { Self.isTag($0) ? $0 : nil }
  }

  /// The degrees of the middle of the cell.
  private static func degrees(_ number: Int, _ precision: Precision) -> String {
    let cells = Int(precision.cells)
    let rest = String(abs(number) % cells)
    return "\(number < 0 ? "-" : "")\(abs(number) / cells)."
      + String(repeating: "0", count: precision.decimals - rest.count) + rest
  }

  public var latitude: String { Self.degrees(row, precision) }
  public var longitude: String { Self.degrees(column, precision) }

  /// The path and the query of the request to a server with the interface of Nominatim.
  public var path: String {
    "/reverse?format=jsonv2&addressdetails=1&layer=address&lat=\(latitude)&lon=\(longitude)&zoom=\(precision.zoom)"
      + (language.map { "&accept-language=\($0)" } ?? "")
  }

  /// A text that identifies the query, in the file of answers.
  public var key: String { "\(precision.rawValue) \(latitude) \(longitude) \(language ?? "-")" }

  public static let longestTag = 35

  /// Returns whether a text has the form of a language tag (RFC 5646), so that it is safe in an address.
  public static func isTag(_ text: String) -> Bool {
    (2...longestTag).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}
