/// A segment of a geodesic on the auxiliary sphere, between two reduced latitudes.
struct GeodesicArc {
  /// σ₁ and σ₂, from the northward crossing of the equator.
  var start: Angle
  var end: Angle
  /// σ₂ − σ₁, in radians.
  var length: Double
  /// √(1 + k² sin² σ) at both ends.
  var startScale: Double
  var endScale: Double

  /// Returns s₁₂ and m₁₂, both divided by b (7, 38, 40).
  func lengths(_ e: Double) -> (distance: Double, reduced: Double) {
    let (a1, a2) = (GeodesicSeries.a1MinusOne(e), GeodesicSeries.a2MinusOne(e))
    let (c1, c2) = (GeodesicSeries.c1(e), GeodesicSeries.c2(e))
    let b1 = (1 + a1) * (GeodesicSeries.sum(c1, at: end) - GeodesicSeries.sum(c1, at: start))
    let b2 = (1 + a2) * (GeodesicSeries.sum(c2, at: end) - GeodesicSeries.sum(c2, at: start))
    let j = (a1 - a2) * length + (b1 - b2)
    let reduced =
      endScale * (start.cosine * end.sine) - startScale * (start.sine * end.cosine) - start.cosine * end.cosine * j
    return ((1 + a1) * length + b1, reduced)
  }
}
