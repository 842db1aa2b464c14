#ifndef BEACONMON_CLIBICAL_H
#define BEACONMON_CLIBICAL_H

/* Only what libical's header declares is used; no program links it. A child process loads it, reads one calendar, and ends:
   libical brings 30 MB of ICU with it, and a rule of a calendar can keep it busy for longer than the daemon may wait. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libical/ical.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Hide behind _GNU_SOURCE; the shim of CLinux has the reason why it is not defined. */
extern int pipe2(int descriptors[2], int flags);
extern int close_range(unsigned int first, unsigned int last, int flags);

/* ICU's conversion of a zone name of Windows, in its own types. */
typedef int calendar_zone_conversion(
    const uint16_t *name, int length, const char *region, uint16_t *result, int capacity, int *status);

struct calendar_library {
  /* The function of the ICU that libical brings; null without one. */
  calendar_zone_conversion *windows_zone;
  __typeof__(&icalcomponent_count_errors) icalcomponent_count_errors;
  __typeof__(&icalcomponent_free) icalcomponent_free;
  __typeof__(&icalcomponent_get_first_component) icalcomponent_get_first_component;
  __typeof__(&icalcomponent_get_first_property) icalcomponent_get_first_property;
  __typeof__(&icalcomponent_get_location) icalcomponent_get_location;
  __typeof__(&icalcomponent_get_next_component) icalcomponent_get_next_component;
  __typeof__(&icalcomponent_get_next_property) icalcomponent_get_next_property;
  __typeof__(&icalcomponent_get_status) icalcomponent_get_status;
  __typeof__(&icalcomponent_get_summary) icalcomponent_get_summary;
  __typeof__(&icalcomponent_get_timezone) icalcomponent_get_timezone;
  __typeof__(&icalcomponent_get_uid) icalcomponent_get_uid;
  __typeof__(&icalcomponent_isa) icalcomponent_isa;
  __typeof__(&icalerror_set_errors_are_fatal) icalerror_set_errors_are_fatal;
  __typeof__(&icalparameter_get_tzid) icalparameter_get_tzid;
  __typeof__(&icalparser_parse_string) icalparser_parse_string;
  __typeof__(&icalproperty_get_first_parameter) icalproperty_get_first_parameter;
  __typeof__(&icalproperty_get_rrule) icalproperty_get_rrule;
  __typeof__(&icalproperty_get_value) icalproperty_get_value;
  __typeof__(&icalproperty_get_value_as_string) icalproperty_get_value_as_string;
  __typeof__(&icalproperty_get_x_name) icalproperty_get_x_name;
  __typeof__(&icalrecur_iterator_free) icalrecur_iterator_free;
  __typeof__(&icalrecur_iterator_new) icalrecur_iterator_new;
  __typeof__(&icalrecur_iterator_next) icalrecur_iterator_next;
  __typeof__(&icaltime_as_timet_with_zone) icaltime_as_timet_with_zone;
  __typeof__(&icaltime_is_null_time) icaltime_is_null_time;
  __typeof__(&icaltimezone_get_builtin_timezone) icaltimezone_get_builtin_timezone;
  __typeof__(&icaltimezone_get_builtin_timezone_from_tzid) icaltimezone_get_builtin_timezone_from_tzid;
  __typeof__(&icaltimezone_get_utc_timezone) icaltimezone_get_utc_timezone;
  __typeof__(&icaltimezone_set_builtin_tzdata) icaltimezone_set_builtin_tzdata;
  __typeof__(&icalvalue_get_datetimeperiod) icalvalue_get_datetimeperiod;
  __typeof__(&icalvalue_get_datetime) icalvalue_get_datetime;
  __typeof__(&icalvalue_get_date) icalvalue_get_date;
  __typeof__(&icalvalue_isa) icalvalue_isa;
};

/* Loads the library. Returns null, or the reason from dlerror(3). */
static inline const char *calendar_library_load(struct calendar_library *library) {
  void *handle = dlopen("libical.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define BEACONMON_FIND(name) \
  if (!(library->name = (__typeof__(library->name))dlsym(handle, #name))) return dlerror()
  BEACONMON_FIND(icalcomponent_count_errors);
  BEACONMON_FIND(icalcomponent_free);
  BEACONMON_FIND(icalcomponent_get_first_component);
  BEACONMON_FIND(icalcomponent_get_first_property);
  BEACONMON_FIND(icalcomponent_get_location);
  BEACONMON_FIND(icalcomponent_get_next_component);
  BEACONMON_FIND(icalcomponent_get_next_property);
  BEACONMON_FIND(icalcomponent_get_status);
  BEACONMON_FIND(icalcomponent_get_summary);
  BEACONMON_FIND(icalcomponent_get_timezone);
  BEACONMON_FIND(icalcomponent_get_uid);
  BEACONMON_FIND(icalcomponent_isa);
  BEACONMON_FIND(icalerror_set_errors_are_fatal);
  BEACONMON_FIND(icalparameter_get_tzid);
  BEACONMON_FIND(icalparser_parse_string);
  BEACONMON_FIND(icalproperty_get_first_parameter);
  BEACONMON_FIND(icalproperty_get_rrule);
  BEACONMON_FIND(icalproperty_get_value);
  BEACONMON_FIND(icalproperty_get_value_as_string);
  BEACONMON_FIND(icalproperty_get_x_name);
  BEACONMON_FIND(icalrecur_iterator_free);
  BEACONMON_FIND(icalrecur_iterator_new);
  BEACONMON_FIND(icalrecur_iterator_next);
  BEACONMON_FIND(icaltime_as_timet_with_zone);
  BEACONMON_FIND(icaltime_is_null_time);
  BEACONMON_FIND(icaltimezone_get_builtin_timezone);
  BEACONMON_FIND(icaltimezone_get_builtin_timezone_from_tzid);
  BEACONMON_FIND(icaltimezone_get_utc_timezone);
  BEACONMON_FIND(icaltimezone_set_builtin_tzdata);
  BEACONMON_FIND(icalvalue_get_datetimeperiod);
  BEACONMON_FIND(icalvalue_get_datetime);
  BEACONMON_FIND(icalvalue_get_date);
  BEACONMON_FIND(icalvalue_isa);
#undef BEACONMON_FIND
  /* ICU has its version in each name. A search by libical's handle finds the version that libical uses. */
  library->windows_zone = 0;
  for (int version = 40; version < 200 && !library->windows_zone; version++) {
    char name[64];
    snprintf(name, sizeof name, "ucal_getTimeZoneIDForWindowsID_%d", version);
    library->windows_zone = (calendar_zone_conversion *)dlsym(handle, name);
  }
  return 0;
}

/* The limits of a reader: octets of the file, events, repetitions that are looked at, occurrences that are reported, seconds, octets of
   memory. */
struct calendar_limits {
  long octets;
  long events;
  long repetitions;
  long occurrences;
  long seconds;
  long memory;
};

struct calendar_reading {
  struct calendar_library ical;
  struct calendar_limits limits;
  icalcomponent *root;
  time_t from, to;
  FILE *out;
  long reported;
  /* The events that replace an occurrence of another one. */
  icalcomponent **replacing;
  long replacingCount;
};

/* A record of the output: a letter, and texts that begin with 0x1F and have no other control characters. */
static inline void calendar_text(FILE *out, const char *text) {
  fputc(0x1F, out);
  for (int count = 0; text && *text && count < 512; text++, count++) {
    unsigned char octet = (unsigned char)*text;
    fputc(octet < 0x20 || octet == 0x7F ? ' ' : octet, out);
  }
}

static inline void calendar_note(struct calendar_reading *reading, char letter, const char *subject, const char *message) {
  fputc(letter, reading->out);
  calendar_text(reading->out, subject);
  calendar_text(reading->out, message);
  fputc('\n', reading->out);
}

/* The zone that Windows calls by a name, as Outlook writes it; null if it has none of this name. */
static inline icaltimezone *calendar_windows_zone(struct calendar_reading *reading, const char *name) {
  enum { most = 128 };
  uint16_t wide[most], found[most];
  char zone[most];
  size_t length = strlen(name);
  if (!reading->ical.windows_zone || length >= most) return 0;
  for (size_t index = 0; index < length; index++) {
    if ((unsigned char)name[index] >= 0x80) return 0;
    wide[index] = (unsigned char)name[index];
  }
  int status = 0;
  int count = reading->ical.windows_zone(wide, (int)length, 0, found, most, &status);
  if (status > 0 || count <= 0 || count >= most) return 0;
  for (int index = 0; index < count; index++) zone[index] = (char)found[index];
  zone[count] = 0;
  return reading->ical.icaltimezone_get_builtin_timezone(zone);
}

/* The time of a property, and its zone; null for a floating time. Returns 0 for a zone that is unknown, whose name it notes. */
static inline int calendar_zone(struct calendar_reading *reading, icalproperty *property, icaltimetype *time) {
  icalparameter *parameter = reading->ical.icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER);
  if (time->is_date || time->zone || !parameter) return 1;
  const char *name = reading->ical.icalparameter_get_tzid(parameter);
  icaltimezone *zone = name ? reading->ical.icalcomponent_get_timezone(reading->root, name) : 0;
  if (!zone && name) zone = reading->ical.icaltimezone_get_builtin_timezone(name);
  if (!zone && name) zone = reading->ical.icaltimezone_get_builtin_timezone_from_tzid(name);
  if (!zone && name) zone = calendar_windows_zone(reading, name);
  time->zone = zone;
  return zone != 0;
}

static inline icalproperty *calendar_property(struct calendar_reading *reading, icalcomponent *event, icalproperty_kind kind) {
  return reading->ical.icalcomponent_get_first_property(event, kind);
}

static inline icaltimetype calendar_time(struct calendar_reading *reading, icalproperty *property) {
  icaltimetype none;
  memset(&none, 0, sizeof none);
  const icalvalue *value = property ? reading->ical.icalproperty_get_value(property) : 0;
  if (!value) return none;
  switch (reading->ical.icalvalue_isa(value)) {
    case ICAL_DATETIME_VALUE: return reading->ical.icalvalue_get_datetime(value);
    case ICAL_DATE_VALUE: return reading->ical.icalvalue_get_date(value);
    case ICAL_DATETIMEPERIOD_VALUE: return reading->ical.icalvalue_get_datetimeperiod(value).time;
    default: return none;
  }
}

/* Seconds since the epoch. A floating time is one of this machine's zone. */
static inline time_t calendar_seconds(struct calendar_reading *reading, icaltimetype time) {
  if (time.zone) return reading->ical.icaltime_as_timet_with_zone(time, time.zone);
  struct tm local;
  memset(&local, 0, sizeof local);
  local.tm_year = time.year - 1900;
  local.tm_mon = time.month - 1;
  local.tm_mday = time.day;
  local.tm_hour = time.hour;
  local.tm_min = time.minute;
  local.tm_sec = time.second;
  local.tm_isdst = -1;
  return mktime(&local);
}

static inline int calendar_is_same_day(icaltimetype a, icaltimetype b) {
  return a.year == b.year && a.month == b.month && a.day == b.day;
}

/* Whether an EXDATE of the event, or the RECURRENCE-ID of another one with its UID, takes its occurrence away. */
static inline int calendar_is_excluded(
    struct calendar_reading *reading, icalcomponent *event, const char *uid, icaltimetype time, time_t seconds) {
  for (icalproperty *p = calendar_property(reading, event, ICAL_EXDATE_PROPERTY); p;
       p = reading->ical.icalcomponent_get_next_property(event, ICAL_EXDATE_PROPERTY)) {
    icaltimetype other = calendar_time(reading, p);
    if (other.is_date ? calendar_is_same_day(other, time)
                      : calendar_zone(reading, p, &other) && calendar_seconds(reading, other) == seconds)
      return 1;
  }
  if (!uid || calendar_property(reading, event, ICAL_RECURRENCEID_PROPERTY)) return 0;
  for (long index = 0; index < reading->replacingCount; index++) {
    icalcomponent *c = reading->replacing[index];
    const char *other = reading->ical.icalcomponent_get_uid(c);
    if (!other || strcmp(other, uid)) continue;
    icalproperty *p = calendar_property(reading, c, ICAL_RECURRENCEID_PROPERTY);
    icaltimetype moved = calendar_time(reading, p);
    if (moved.is_date ? calendar_is_same_day(moved, time)
                      : calendar_zone(reading, p, &moved) && calendar_seconds(reading, moved) == seconds)
      return 1;
  }
  return 0;
}

/* The value of X-BEACONMON-PLACE; null without one. */
static inline const char *calendar_stated_place(struct calendar_reading *reading, icalcomponent *event) {
  for (icalproperty *p = calendar_property(reading, event, ICAL_X_PROPERTY); p;
       p = reading->ical.icalcomponent_get_next_property(event, ICAL_X_PROPERTY)) {
    const char *name = reading->ical.icalproperty_get_x_name(p);
    if (name && !strcasecmp(name, "X-BEACONMON-PLACE")) return reading->ical.icalproperty_get_value_as_string(p);
  }
  return 0;
}

/* Reports an occurrence in the window; returns 0 when there are enough. */
static inline int calendar_report(
    struct calendar_reading *reading, icalcomponent *event, const char *stated, icaltimetype time, time_t seconds) {
  if (seconds < reading->from || seconds > reading->to) return 1;
  const char *uid = reading->ical.icalcomponent_get_uid(event);
  if (calendar_is_excluded(reading, event, uid, time, seconds)) return 1;
  if (reading->reported++ >= reading->limits.occurrences) return 0;
  char number[32];
  snprintf(number, sizeof number, "%lld", (long long)seconds);
  fputc('O', reading->out);
  calendar_text(reading->out, number);
  calendar_text(reading->out, reading->ical.icalcomponent_get_summary(event));
  calendar_text(reading->out, reading->ical.icalcomponent_get_location(event));
  calendar_text(reading->out, stated);
  fputc('\n', reading->out);
  return 1;
}

/* Returns 0 to stop. */
static inline int calendar_read_event(struct calendar_reading *reading, icalcomponent *event) {
  const char *summary = reading->ical.icalcomponent_get_summary(event);
  /* The parent names this event if the reader does not end. */
  calendar_note(reading, 'B', summary, "");
  fflush(reading->out);
  const char *stated = calendar_stated_place(reading, event);
  const char *location = reading->ical.icalcomponent_get_location(event);
  if (!(stated && *stated) && !(location && *location)) return 1;
  if (reading->ical.icalcomponent_get_status(event) == ICAL_STATUS_CANCELLED) return 1;
  icalproperty *begin = calendar_property(reading, event, ICAL_DTSTART_PROPERTY);
  icaltimetype start = calendar_time(reading, begin);
  if (!begin || reading->ical.icaltime_is_null_time(start)) {
    calendar_note(reading, 'W', summary, "has no DTSTART, and is ignored; add its DTSTART");
    return 1;
  }
  /* A day has no time to be there. */
  if (start.is_date) return 1;
  if (!calendar_zone(reading, begin, &start)) {
    icalparameter *parameter = reading->ical.icalproperty_get_first_parameter(begin, ICAL_TZID_PARAMETER);
    char message[256];
    snprintf(message, sizeof message, "has the unknown time zone \"%.100s\"; write a name such as Europe/Berlin, or add its VTIMEZONE",
             parameter ? reading->ical.icalparameter_get_tzid(parameter) : "");
    calendar_note(reading, 'E', summary, message);
    return 1;
  }
  /* An iteration over the properties of an event has one place in it, so these are taken first. */
  enum { most = 1024 };
  icalproperty *rules[8], *dates[most];
  int ruleCount = 0, dateCount = 0;
  for (icalproperty *p = calendar_property(reading, event, ICAL_RRULE_PROPERTY); p && ruleCount < 8;
       p = reading->ical.icalcomponent_get_next_property(event, ICAL_RRULE_PROPERTY))
    rules[ruleCount++] = p;
  for (icalproperty *p = calendar_property(reading, event, ICAL_RDATE_PROPERTY); p && dateCount < most;
       p = reading->ical.icalcomponent_get_next_property(event, ICAL_RDATE_PROPERTY))
    dates[dateCount++] = p;
  if (!ruleCount && !calendar_report(reading, event, stated, start, calendar_seconds(reading, start))) return 0;
  for (int index = 0; index < ruleCount; index++) {
    struct icalrecurrencetype recurrence = reading->ical.icalproperty_get_rrule(rules[index]);
    if (recurrence.freq == ICAL_SECONDLY_RECURRENCE || recurrence.freq == ICAL_MINUTELY_RECURRENCE) {
      calendar_note(reading, 'E', summary, "recurs more often than once an hour; remove the RRULE, or write FREQ=HOURLY or a longer one");
      return 1;
    }
    icalrecur_iterator *iterator = reading->ical.icalrecur_iterator_new(recurrence, start);
    if (!iterator) {
      calendar_note(reading, 'E', summary, "has an invalid RRULE, and is ignored; correct the RRULE (RFC 5545)");
      return 1;
    }
    long count = 0;
    int continues = 1;
    for (icaltimetype time = reading->ical.icalrecur_iterator_next(iterator); continues && !reading->ical.icaltime_is_null_time(time);
         time = reading->ical.icalrecur_iterator_next(iterator)) {
      if (++count > reading->limits.repetitions) {
        calendar_note(reading, 'E', summary, "recurs too often before now; begin its DTSTART later");
        break;
      }
      time.zone = start.zone;
      time_t seconds = calendar_seconds(reading, time);
      if (seconds > reading->to) break;
      continues = calendar_report(reading, event, stated, time, seconds);
    }
    reading->ical.icalrecur_iterator_free(iterator);
    if (!continues) return 0;
  }
  for (int index = 0; index < dateCount; index++) {
    icaltimetype time = calendar_time(reading, dates[index]);
    if (time.is_date || reading->ical.icaltime_is_null_time(time) || !calendar_zone(reading, dates[index], &time)) continue;
    if (!calendar_report(reading, event, stated, time, calendar_seconds(reading, time))) return 0;
  }
  return 1;
}

/* The text of a regular file with a zero octet at its end; null after a note. */
static inline char *calendar_file(struct calendar_reading *reading, const char *path) {
  /* A FIFO must not block. */
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  if (file < 0 || fstat(file, &status) < 0) {
    int error = errno;
    char message[256];
    snprintf(message, sizeof message,
             "cannot be opened: %s; correct the path, or move the file to /etc/beaconmon: the service cannot read home folders",
             strerror(error));
    calendar_note(reading, 'F', error == ENOENT || error == ENOTDIR ? "missing" : "", message);
    return 0;
  }
  if (!S_ISREG(status.st_mode)) {
    calendar_note(reading, 'F', "", "is not a regular file; name an iCalendar file");
    return 0;
  }
  if (status.st_size > reading->limits.octets) {
    char message[96];
    snprintf(message, sizeof message, "has %lld octets; at most %ld are allowed: export fewer events", (long long)status.st_size, reading->limits.octets);
    calendar_note(reading, 'F', "", message);
    return 0;
  }
  char *text = calloc(1, (size_t)status.st_size + 1);
  long size = 0;
  while (text && size < status.st_size) {
    ssize_t count = read(file, text + size, (size_t)(status.st_size - size));
    if (count <= 0) break;
    size += count;
  }
  if (text) text[size] = 0;
  return text;
}

static inline void calendar_read(const char *path, long long from, long long to, struct calendar_limits limits, int output) {
  struct calendar_reading reading;
  memset(&reading, 0, sizeof reading);
  reading.limits = limits;
  reading.from = (time_t)from;
  reading.to = (time_t)to;
  reading.out = fdopen(output, "w");
  if (!reading.out) return;
  const char *failure = calendar_library_load(&reading.ical);
  if (failure) {
    calendar_note(&reading, 'L', "", failure);
    fclose(reading.out);
    return;
  }
  reading.ical.icalerror_set_errors_are_fatal(0);
  /* The zones of the system are newer than those of the library. */
  reading.ical.icaltimezone_set_builtin_tzdata(0);
  char *text = calendar_file(&reading, path);
  icalcomponent *calendar = 0;
  if (text) {
    calendar = reading.ical.icalparser_parse_string(text);
    icalcomponent_kind kind = calendar ? reading.ical.icalcomponent_isa(calendar) : ICAL_NO_COMPONENT;
    icalcomponent *first = kind == ICAL_XROOT_COMPONENT
                               ? reading.ical.icalcomponent_get_first_component(calendar, ICAL_VCALENDAR_COMPONENT)
                               : calendar;
    if (kind != ICAL_VCALENDAR_COMPONENT && kind != ICAL_XROOT_COMPONENT) first = 0;
    if (!first) calendar_note(&reading, 'F', "", "is not an iCalendar file; export the calendar as .ics");
    long events = 0;
    for (icalcomponent *root = first; root;
         root = kind == ICAL_XROOT_COMPONENT
                    ? reading.ical.icalcomponent_get_next_component(calendar, ICAL_VCALENDAR_COMPONENT)
                    : 0) {
      for (icalcomponent *event = reading.ical.icalcomponent_get_first_component(root, ICAL_VEVENT_COMPONENT); event;
           event = reading.ical.icalcomponent_get_next_component(root, ICAL_VEVENT_COMPONENT))
        events++;
    }
    if (events > limits.events) {
      char message[96];
      snprintf(message, sizeof message, "has %ld events; at most %ld are allowed: export fewer events", events, limits.events);
      calendar_note(&reading, 'F', "", message);
      first = 0;
    }
    int errors = first ? reading.ical.icalcomponent_count_errors(calendar) : 0;
    if (errors > 0) {
      char message[96];
      snprintf(message, sizeof message, "%d invalid %s ignored; export the calendar again", errors, errors == 1 ? "line is" : "lines are");
      calendar_note(&reading, 'W', "", message);
    }
    int continues = 1;
    for (icalcomponent *root = first; root && continues;
         root = kind == ICAL_XROOT_COMPONENT
                    ? reading.ical.icalcomponent_get_next_component(calendar, ICAL_VCALENDAR_COMPONENT)
                    : 0) {
      reading.root = root;
      icalcomponent **list = calloc((size_t)events + 1, sizeof *list);
      reading.replacing = calloc((size_t)events + 1, sizeof *list);
      reading.replacingCount = 0;
      long count = 0;
      for (icalcomponent *event = reading.ical.icalcomponent_get_first_component(root, ICAL_VEVENT_COMPONENT); list && event;
           event = reading.ical.icalcomponent_get_next_component(root, ICAL_VEVENT_COMPONENT))
        list[count++] = event;
      for (long index = 0; reading.replacing && index < count; index++) {
        if (calendar_property(&reading, list[index], ICAL_RECURRENCEID_PROPERTY)) reading.replacing[reading.replacingCount++] = list[index];
      }
      for (long index = 0; index < count && continues; index++) continues = calendar_read_event(&reading, list[index]);
      free(reading.replacing);
      free(list);
    }
    if (!continues) {
      char message[160];
      snprintf(message, sizeof message, "has more than %ld appointments in the next eight days; the first ones of the file are used: split the file", limits.occurrences);
      calendar_note(&reading, 'W', "", message);
    }
  }
  fputs("Z\n", reading.out);
  fclose(reading.out);
}

/* Starts a process that reads a calendar and writes records to a pipe, whose other end is `reading`; -1 with errno if it cannot be
   started. It ends by itself, after the seconds of the limits at the latest. */
static inline pid_t calendar_start(const char *path, long long from, long long to, struct calendar_limits limits, int *reading) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  pid_t child = fork();
  if (child) {
    int error = errno;
    close(ends[1]);
    if (child < 0) close(ends[0]);
    *reading = ends[0];
    errno = error;
    return child;
  }
  int output = ends[1];
  /* The files, connections and signals of the parent are not for this process. */
  if (output == 3) fcntl(3, F_SETFD, 0);
  else dup2(output, 3);
  for (int signal = 1; signal < 32; signal++) {
    if (signal != SIGKILL && signal != SIGSTOP) sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, 0);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  close_range(4, ~0U, 0);
  setpgid(0, 0);
  struct rlimit seconds = {(rlim_t)limits.seconds, (rlim_t)limits.seconds};
  setrlimit(RLIMIT_CPU, &seconds);
  /* The unit may forbid the limit. */
  struct itimerval processor = {.it_value = {.tv_sec = limits.seconds}};
  setitimer(ITIMER_PROF, &processor, 0);
  struct rlimit core = {0, 0};
  setrlimit(RLIMIT_CORE, &core);
  /* The address space of the parent counts too. */
  long pages = 0;
  FILE *size = fopen("/proc/self/statm", "re");
  if (!size || fscanf(size, "%ld", &pages) != 1) pages = 0;
  if (size) fclose(size);
  rlim_t octets = (rlim_t)limits.memory + (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
  struct rlimit memory = {octets, octets};
  setrlimit(RLIMIT_AS, &memory);
  /* A child of a real-time or starved parent ends too. */
  alarm((unsigned)limits.seconds * 4);
  calendar_read(path, from, to, limits, 3);
  _exit(0);
}

#endif
