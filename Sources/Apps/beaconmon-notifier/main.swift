import Failures
import ProgramSupport

Program.run("beaconmon-notifier") { () throws(Failure) in
  try BeaconmonNotifier.run(Array(CommandLine.arguments.dropFirst()))
}
