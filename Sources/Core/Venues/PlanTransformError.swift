import Records

/// A reason why anchors give no transform. Anchors are numbered from 0 in the values, and from 1 in the text.
public enum PlanTransformError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooFewAnchors(count: Int, required: Int)
  case tooManyAnchors(count: Int)
  /// A coordinate of the plan point is not finite, or exceeds `PlanTransform.mostPlanCoordinate`.
  case invalidPoint(anchor: Int)
  /// The stated sigma is not finite or not above zero.
  case invalidSigma
  case onePlanPoint(Int, Int)
  /// Two anchors are less than a centimetre apart on the earth.
  case oneCoordinate(Int, Int)
  /// Two anchors are farther apart than `PlanTransform.mostExtent`.
  case tooFarApart(Int, Int, metres: Double)
  /// All anchors lie in a line, or all but one.
  case inLine(allBut: Int?)
  /// The anchors fit a mirror image of the plan.
  case mirrored(PlanTransform.YAxis)
  /// No transform of this kind comes near the anchors.
  case contradictory

  public var description: String {
    switch self {
    case .tooFewAnchors(let count, let required):
      "\(Count.text(count, "anchor is", plural: "anchors are")) too few; \(required == 2 ? "a plan" : "an affine plan") needs at least \(required)"
    case .tooManyAnchors(let count):
      "\(count) anchors are too many; a plan has at most \(PlanTransform.mostAnchors)"
    case .invalidPoint(let anchor):
      "anchor \(anchor + 1): the plan point must have finite coordinates of at most 1e9"
    case .invalidSigma:
      "the accuracy of the anchors must be a finite number of metres above zero"
    case .onePlanPoint(let first, let second):
      "anchors \(first + 1) and \(second + 1) are in one spot of the plan; choose places that are far apart"
    case .oneCoordinate(let first, let second):
      "anchors \(first + 1) and \(second + 1) are in one spot on the earth; choose places that are far apart"
    case .tooFarApart(let first, let second, let metres):
      "anchors \(first + 1) and \(second + 1) are \(Int((metres / 1000).rounded())) km apart, but a plan reaches at most "
        + "\(Int(PlanTransform.mostExtent / 1000)) km; are latitude and longitude swapped?"
    case .inLine(nil):
      "the anchors lie in a line; an affine plan needs anchors in at least three corners"
    case .inLine(let anchor?):
      "all anchors but anchor \(anchor + 1) lie in a line, so its errors would be hidden; add an anchor beside the line"
    case .mirrored(.up):
      "the plan is mirrored with y up; if its origin is at the top, as in pictures, its y axis points down; or latitude and longitude are swapped"
    case .mirrored(.down):
      "the plan is mirrored with y down; if its origin is at the bottom, as in drawings, its y axis points up; or latitude and longitude are swapped"
    case .contradictory:
      "the anchors contradict each other; check that each plan point has the coordinate of the same place"
    }
  }
}
