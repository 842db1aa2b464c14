import Beacons
import Geodesy
import RealModule
import Records
import Venues

/// A new venue file for a picture of a plan that is placed on the earth by anchors.
public struct NewVenue: Sendable {
  /// A reason why the anchors and the picture give no venue.
  public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// An anchor, numbered from 1, is outside the picture.
    case outside(anchor: Int, width: Int, height: Int)
    /// The plan would have this width in metres.
    case size(metres: Double)

    public var description: String {
      switch self {
      case .outside(let anchor, let width, let height):
        "anchor \(anchor): the pixel is outside the picture of \(width) x \(height) pixels; count from the top left corner"
      case .size(let metres):
        "the picture would be \(NewVenue.text(metres)) m wide; check the pixels, and that each anchor is latitude,longitude"
      }
    }
  }

  /// The widths in metres of plans that are likely.
  private static let widths = 2.0...5000.0

  public let frame: VenueFrame
  /// The size of the picture in metres.
  public let width, height: Double
  private let id: String
  private let name: String?
  private let level: String
  private let uuid: BeaconUUID?
  private let picture: PlanPicture
  private let anchors: [PlanAnchor]

  /// Creates the venue. Its plan begins in the lower left corner of the picture, and y is the vertical of the picture.
  ///
  /// - Parameters:
  ///   - image: the path of the picture from the venue file.
  ///   - transform: the anchors, fitted to the pixels with y down.
  ///   - level: the id of the level.
  public init(
    id: String, name: String?, image: String, size: PictureSize, transform: PlanTransform, level: String, uuid: BeaconUUID?
  ) throws(Problem) {
    for (number, anchor) in transform.anchors.enumerated() {
      let (x, y) = (anchor.point.x, anchor.point.y)
      guard x >= 0, y >= 0, x <= Double(size.width), y <= Double(size.height) else {
        throw .outside(anchor: number + 1, width: size.width, height: size.height)
      }
    }
    width = Double(size.width) * transform.metresPerUnit
    height = Double(size.height) * transform.metresPerUnit
    let corner = transform.coordinate(for: PlanPoint(x: 0, y: Double(size.height)))
    let top = transform.coordinate(for: PlanPoint(x: 0, y: 0))
    guard Self.widths.contains(width), Self.widths.contains(height), let corner, let top else { throw .size(metres: width) }
    let north = VenueFrame(origin: corner).point(for: top)
    let bearing = Double.atan2(y: north.x, x: north.y) * 180 / .pi
    // A tenth of a degree is 5 cm on 30 m.
    frame = VenueFrame(origin: corner, bearing: bearing.direction(decimals: 2))
    (self.id, self.name, self.level, self.uuid) = (id, name, level, uuid)
    picture = PlanPicture(image: image, width: size.width, height: size.height, transform: transform)
    anchors = transform.anchors
  }

  /// Returns a length to the decimetre.
  static func text(_ metres: Double) -> String {
    let rounded = (metres * 10).rounded() / 10
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }

  private static func degrees(_ value: Double) -> String { "\((value * 1e7).rounded() / 1e7)" }

  /// The commented text of the venue file.
  public var toml: String {
    let (w, h) = (Self.text(width), Self.text(height))
    let shown = uuid.map { "uuid = \"\($0)\"" } ?? "# uuid = \"8ec76ea3-6668-48da-9866-75be8bc86f4d\""
    let lines = anchors.map { anchor in
      "  { pixel = [\(Self.text(anchor.point.x)), \(Self.text(anchor.point.y))], latitude = \(anchor.coordinate.latitude), "
        + "longitude = \(anchor.coordinate.longitude) },"
    }
    return """
      # A venue of beaconmon. Positions are metres on the plan: x to the right, y up, from the lower left corner of the picture.
      #
      #   beaconmon venue check FILE     errors and doubtful parts, with lines
      #   beaconmon venue show FILE      the levels with beacons and places
      #
      # beaconmon-venue(5) explains all keys.
      format = 1
      id = \(id.asTOML)
      \(name.map { "name = \($0.asTOML)" } ?? "# name = { en = \"Gallery\", de = \"Galerie\" }")
      # The UUID of the beacons.
      \(shown)
      # The meaning of majors, if they have one.
      # majors = { entry = 1, exhibit = 2 }
      # Warn if the beacons are too few for this accuracy in metres.
      # accuracy = 3

      # The place of [0, 0] on the earth, and the direction of y in degrees clockwise from north. Both follow from the anchors.
      [frame]
      latitude = \(Self.degrees(frame.origin.latitude))
      longitude = \(Self.degrees(frame.origin.longitude))
      bearing = \(frame.bearing)

      [[level]]
      id = \(level.asTOML)
      # 0 is the ground floor; upper floors are positive, lower ones negative.
      ordinal = 0
      # name = { en = "Ground floor", de = "Erdgeschoss" }
      plan = { image = \(picture.image.asTOML), size = [\(picture.width), \(picture.height)] }
      # Pixels from the top left corner, y down. Four in the corners of the plan show their errors.
      anchors = [
      \(lines.joined(separator: "\n"))
      ]
      # The areas where visitors can be. This is the whole picture, \(w) x \(h) m; draw the floor more closely.
      walkable = [[[0, 0], [\(w), 0], [\(w), \(h)], [0, \(h)]]]
      # Tables and show-cases in them.
      # voids = [[[4, 4], [6, 4], [6, 6], [4, 6]]]

      # One for each beacon. An indoor position needs at least four of them, every 6 to 12 m.
      # [[beacon]]
      # major = 1
      # minor = 1
      # position = [\(Self.text(width / 4)), \(Self.text(height / 4))]
      # height = 2.5

      # One for each exhibit, shop or room.
      # [[place]]
      # id = "lodestone"
      # kind = "exhibit"
      # beacon = [1, 1]
      # title = { en = "Lodestone", de = "Magnetstein" }
      # text = { en = "A stone that pulls iron." }

      # A wall that attenuates signals by some dB.
      # [[wall]]
      # from = [0, \(Self.text(height / 2))]
      # to = [\(Self.text(width / 2)), \(Self.text(height / 2))]
      # attenuation = 6

      """
  }
}
