/// The surveys of a site with the places that they and beacons have taught.
///
/// A filter that begins again continues with them. To form the places of a room takes milliseconds, and beacons take hours to correct them.
public struct SurveyedSite: Sendable {
  let devices: [SiteDevice]
  let surveys: [RoomSurvey]
  let places: SurveyedPlaces

  /// Returns the places if they are those of these devices and surveys; nil otherwise.
  func places(of devices: [SiteDevice], _ surveys: [RoomSurvey]) -> SurveyedPlaces? {
    devices == self.devices && surveys == self.surveys ? places : nil
  }
}
