// The yardstick for the whole job, from a capture in memory to enters and exits.
// usage: full FILE [PASSES]
#include "job.h"
#include "measure.h"

static Result pass(Capture capture) {
  static Monitor monitor;
  memset(&monitor, 0, sizeof monitor);
  Result result = {.counts = for_each_sighting(capture, hear, &monitor)};
  sweep(&monitor, result.counts.end);
  snprintf(result.details, sizeof result.details,
           ",\"beacons\":%u,\"regions\":%u,\"enters\":%llu,\"exits\":%llu,\"proximity_changes\":%llu", monitor.beacon_count,
           monitor.region_count, (unsigned long long)monitor.enters, (unsigned long long)monitor.exits,
           (unsigned long long)monitor.proximity_changes);
  return result;
}

int main(int count, char **arguments) { return measure(count, arguments, "yardstick-full", pass); }
