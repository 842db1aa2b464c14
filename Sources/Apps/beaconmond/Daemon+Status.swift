import Metrics
import MonitorService
import Monitoring
import ProgramSupport
import Status

extension Daemon {
  var health: HealthReport {
    service.withConnection(HealthReport(bus.healthStatus, isClockSynchronised: source.isClockSynchronised))
  }

  static func collect(_ service: ServiceProgram, _ bus: MonitorService) -> (metrics: MetricSet, health: HealthReport) {
    var metrics = MetricSet()
    metrics.add(service.figures)
    let (status, figures) = (bus.metricsStatus, bus.figures)
    let health = service.withConnection(HealthReport(status, isClockSynchronised: figures.isClockSynchronised))
    metrics.add(health)
    metrics.add(status, figures)
    return (metrics, health)
  }
}
