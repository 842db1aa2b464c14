import BlueZ
import ConsentService
import Departures
import Geocoding
import Guidance
import HeadingSources
import Logging
import MetricsService
import MonitorConfiguration
import MonitorService
import Monitoring
import Orientation
import Positioning
import ProgramSupport
import Records

extension Daemon {
  /// Applies a changed config with the source that is in use, and returns its summary.
  func apply(_ completed: ConfigurationDocument) -> String {
    let former = state.document.configuration.venues
    let document = venues.completed(completed)
    state.document = document
    let configuration = document.configuration
    let plan = state.activeSettings.adopt(configuration)
    consent.replaceRules(with: configuration.consentRules)
    monitoring.reconfigure(configuration.monitoring)
    guidance.replaceCatalogue(with: configuration.monitoring.catalogue)
    if isStarted {
      ownBeacons.send(configuration.transmissions)
      appointments.follow(configuration.appointmentPlan)
    }
    warn()
    metrics.listen(at: configuration.metrics)
    if plan.replacesLocationSources {
      positioning.replaceSources(configuration.location.sources(service.loop) + (configuration.hasIndoorPosition ? [indoor] : []))
    }
    if plan.forgetsFixedPlace { monitoring.forgetFixedPlace() }
    if plan.changesOrientation {
      sensors.accelerationSign = configuration.heading.accelerationSign
      orientation.orientation = configuration.heading.orientation
    }
    if plan.replacesHeadingSources {
      orientation.replaceSources(Self.headingSources(configuration, positioning, service, settings, sensors))
    }
    lookUpAddresses(configuration)
    monitoring.retryJournals()
    bus.capabilitiesChanged()
    if configuration.venues != former { bus.venuesChanged() }
    for restart in plan.restarts { service.log.warning("\(document.title): \(restart)") }
    let count = configuration.regions.count
    return Count.text(count, "region")
  }

  /// Looks up addresses as the config says from now on.
  func lookUpAddresses(_ configuration: Configuration) {
    geocoding.configure(configuration.geocoding)
    monitoring.geocoding = geocoding.service
  }

  /// Logs the parts of a valid config that have no effect.
  func warn() {
    for warning in state.document.warnings { service.log.warning("\(warning)") }
  }
}
