import Beacons
import Instants
import RadioHealth
import TestSupport
import Testing

@Suite struct AdapterListingTests {
  private let clock = ManualScheduler()
  private let first: BluetoothAddress
  private let second: BluetoothAddress
  private var listing = AdapterListing()

  init() throws {
    first = try #require(BluetoothAddress("00:00:00:00:00:01"))
    second = try #require(BluetoothAddress("00:00:00:00:00:02"))
  }

  private var now: Instant { clock.now }

  @Test mutating func `a starting bluetoothd has two seconds to list the adapters of the kernel`() {
    listing.note(present: [first, second], listed: [], at: now)
    clock.advance(by: .seconds(60))
    // Without bluetoothd no adapter is overdue.
    #expect(!listing.isOverdue(first, at: now))
    listing.changeService(isRunning: true, at: now)
    listing.note(present: [first, second], listed: [first], at: now)
    #expect(listing.deadline(after: now) == now + .seconds(2))
    clock.advance(by: .seconds(2) - .milliseconds(1))
    #expect(!listing.isOverdue(first, at: now) && !listing.isOverdue(second, at: now))
    clock.advance(by: .milliseconds(1))
    #expect(!listing.isOverdue(first, at: now) && listing.isOverdue(second, at: now) && listing.deadline(after: now) == .never)
    listing.note(present: [first, second], listed: [first, second], at: now)
    #expect(!listing.isOverdue(second, at: now))
  }

  @Test mutating func `an adapter that is plugged in later has two seconds as well`() {
    listing.changeService(isRunning: true, at: now)
    listing.note(present: [first], listed: [first], at: now)
    clock.advance(by: .seconds(60))
    listing.note(present: [first, second], listed: [first], at: now)
    #expect(!listing.isOverdue(second, at: now) && listing.deadline(after: now) == now + .seconds(2))
    clock.advance(by: .seconds(1))
    listing.note(present: [first, second], listed: [first], at: now)
    clock.advance(by: .seconds(1))
    #expect(listing.isOverdue(second, at: now))
    // The time starts again when the adapter is plugged in again.
    listing.note(present: [first], listed: [first], at: now)
    listing.note(present: [first, second], listed: [first], at: now)
    #expect(!listing.isOverdue(second, at: now))
  }

  @Test mutating func `without the kernel's list, the first adapter or two seconds complete the list of bluetoothd`() {
    #expect(!listing.isComplete(at: now))
    for isListed in [true, false] {
      listing.changeService(isRunning: true, at: now)
      listing.note(present: [], listed: [], at: now)
      #expect(!listing.isComplete(at: now) && listing.deadline(after: now) == now + .seconds(2))
      if isListed {
        listing.note(present: [], listed: [first], at: now)
        listing.note(present: [], listed: [], at: now)
      } else {
        clock.advance(by: .seconds(2))
      }
      #expect(listing.isComplete(at: now))
      listing.changeService(isRunning: false, at: now)
      clock.advance(by: .seconds(60))
      #expect(!listing.isComplete(at: now))
    }
  }
}
