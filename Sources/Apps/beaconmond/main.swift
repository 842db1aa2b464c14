import Glibc
import ProgramSupport

Program.run("beaconmond") { try Beaconmond.run(Array(CommandLine.arguments.dropFirst())) }
