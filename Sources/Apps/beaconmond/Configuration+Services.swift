import Calendars
import Departures
import EventLoop
import MonitorConfiguration
import Monitoring
import Venues

extension RealTimeAlarm: DepartureAlarm {}

extension Configuration {
  var monitoring: MonitoringSettings {
    MonitoringSettings(
      regions: regions, adapters: adapters, ranging: ranging, catalogue: Catalogue(venues, circles: places), receiver: receiver,
      languages: languages, health: beaconHealth)
  }

  var appointmentPlan: AppointmentPlan.Settings {
    AppointmentPlan.Settings(
      appointments: appointments, calendars: calendars, venues: venues, walking: walking, languages: languages)
  }
}
