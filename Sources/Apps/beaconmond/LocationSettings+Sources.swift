import EventLoop
import LocationSources
import Locations
import Positioning

extension LocationSettings {
  /// Returns the configured sources, all of them stopped.
  func sources(_ loop: Loop) -> [any LocationSource] {
    var sources: [any LocationSource] = []
    if let gpsd { sources.append(GPSDSource(loop, gpsd)) }
    if let nmea { sources.append(NMEASource(loop, at: nmea)) }
    if geoClue != nil { sources.append(GeoClueSource(loop)) }
    if let fixed { sources.append(FixedSource(loop, at: fixed)) }
    return sources
  }
}
