import EventLoop
import Instants
public import Visits

extension LocalCalendar {
  /// The calendar of the machine's time zone, or of `TZ`.
  public static let local = LocalCalendar { WallClock.utcOffset(at: $0) }
}
