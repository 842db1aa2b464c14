import Beaconmon

func galleryPlan() throws -> FloorPlan {
  let plan = try FloorPlan(
    anchors: [
      FloorPlan.Anchor(
        point: FloorPlan.Point(x: 120, y: 80), coordinate: LocationCoordinate2D(latitude: 48.13740, longitude: 11.57520)),
      FloorPlan.Anchor(
        point: FloorPlan.Point(x: 2280, y: 1500), coordinate: LocationCoordinate2D(latitude: 48.13690, longitude: 11.57610)),
    ], yAxis: .down)
  let corners = [(0, 0), (2400, 0), (2400, 1600), (0, 1600)].map { FloorPlan.Point(x: $0, y: $1) }
  if let warning = plan.shortBaseline(for: corners) { print("up to \(warning.worstError) m off; choose anchors farther apart") }
  return plan
}

func marker(of location: Location, on plan: FloorPlan) -> (center: FloorPlan.Point, radius: Double)? {
  guard let center = plan.point(for: location.coordinate), let accuracy = location.horizontalAccuracy else { return nil }
  let error = plan.expectedError(at: center)
  return (center, (accuracy * accuracy + error * error).squareRoot() / plan.metresPerUnit)
}
