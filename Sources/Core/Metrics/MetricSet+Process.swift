import Instants

extension MetricSet {
  /// Adds the standard metrics of a process, under the names that Prometheus recommends, and those of its event loop.
  public mutating func add(_ process: ProcessFigures) {
    add("process_start_time_seconds", .gauge, "Start of the process since the Unix epoch.", process.start)
    add("process_cpu_seconds_total", .counter, "Processor time in seconds.", process.processorTime?.seconds)
    add("process_resident_memory_bytes", .gauge, "Resident memory in bytes.", process.residentMemory)
    add("process_open_fds", .gauge, "Number of open file descriptors.", process.openDescriptors.map { Double($0) })
    add("process_max_fds", .gauge, "Maximum number of open file descriptors.", process.mostDescriptors)
    add("beaconmon_build_info", .gauge, "The version of the program; always 1.") { $0.add(1, ["version": process.version]) }
    add("beaconmon_loop_wakeups_total", .counter, "Number of wake-ups of the event loop.", process.wakeUps)
    add(
      "beaconmon_loop_latency_seconds", .gauge, "Latest round trip through the event loop that the watchdog measured.",
      process.loopLatency?.seconds)
    add(
      "beaconmon_configuration_read_timestamp_seconds", .gauge, "Time of the latest configuration in effect since the Unix epoch.",
      process.configurationRead)
    add(
      "beaconmon_configuration_reload_successful", .gauge, "Whether the latest reload succeeded; 1 before the first one.",
      process.isConfigurationCurrent)
    add("beaconmon_bus_connected", .gauge, "Whether the program is connected to the bus.", process.isBusConnected)
  }
}
