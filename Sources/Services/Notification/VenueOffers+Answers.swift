import Logging
import Venues

extension VenueOffers {
  func answer(_ venue: String, _ answer: OfferAnswer) {
    guard let offer = shown.removeValue(forKey: venue) else { return }
    switch answer {
    case .open(let token): launch(launches(of: offer)[...], venue, token: token)
    case .mute:
      decisions.update { $0.setMuted(true, venue) }
      log.notice("venue \"\(venue)\" is muted; `beaconmon venue unmute \(venue)` shows its offers again")
      if let wanted = monitored?.subtracting([venue]), wanted != monitored {
        monitor(wanted)
      }
    }
  }

  /// Launches the first of these that works.
  private func launch(_ launches: ArraySlice<VenueLaunch>, _ venue: String, token: String?) {
    guard let first = launches.first else { return log.warning("venue \"\(venue)\": its app is not installed any more") }
    desktop.launch(first, venue: venue, token: token) { [weak self] failure in
      guard let self else { return }
      guard let failure else { return log.info("venue \"\(venue)\": launched the \(first)") }
      log.warning("venue \"\(venue)\": cannot launch the \(first): \(failure)")
      if launches.count > 1 { launch(launches.dropFirst(), venue, token: token) }
    }
  }
}
