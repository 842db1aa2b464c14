// The entry of the installed program, which contains the daemon, the notifier and the command line: three programs would contain the Swift runtime and most
// modules three times. The name by which it is started selects one of them. `make build` links it; SwiftPM builds each program on its own as well.
#include <stdio.h>
#include <string.h>

int beaconmon_main(int argc, char **argv);
int beaconmond_main(int argc, char **argv);
int beaconmon_notifier_main(int argc, char **argv);

int main(int argc, char **argv) {
  const char *path = argc > 0 ? argv[0] : "";
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  // A copy may have a suffix, such as a version.
  if (!strncmp(name, "beaconmond", 10)) return beaconmond_main(argc, argv);
  if (!strncmp(name, "beaconmon-notifier", 18)) return beaconmon_notifier_main(argc, argv);
  return beaconmon_main(argc, argv);
}
