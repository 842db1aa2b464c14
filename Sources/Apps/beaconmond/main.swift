import Failures
import ProgramSupport

Program.run("beaconmond") { () throws(Failure) in
  try Beaconmond.run(Array(CommandLine.arguments.dropFirst()))
}
