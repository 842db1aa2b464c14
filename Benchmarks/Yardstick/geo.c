// The yardstick for circles: finds the circles that contain each of many fixes, one fix at a time, on a sphere. A hashed grid with cells of 0.01
// degrees, about 1.1 km, contains the circles that touch each cell. A squared chord through the earth decides.
// usage: geo make PREFIX REGIONS   writes a world: PREFIX.regions (latitude, longitude, radius) and PREFIX.fixes (track, time, latitude, longitude)
//        geo PREFIX PASSES         one line of JSON about the fastest of the passes
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRACKS = 10, FIXES = 10000, TOWN = 5000, ROW = 36000 };

static const double earth = 6371008.8, degree = 3.14159265358979323846 / 180, cell = 0.01, metres_per_degree = 111194;

typedef struct {
  double x, y, z, limit;
} Circle;

typedef struct {
  uint32_t *numbers;
  size_t count, room;
} List;

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

// SplitMix64.
static double uniform(uint64_t *state, double low, double high) {
  uint64_t mixed = *state += 0x9e3779b97f4a7c15ull;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
  return low + (high - low) * (double)((mixed ^ mixed >> 31) >> 11) * 0x1p-53;
}

// Box and Muller.
static double normal(uint64_t *state, double sigma) {
  double radius = sigma * sqrt(-2 * log(1 - uniform(state, 0, 1)));
  return radius * cos(uniform(state, 0, 2 * 3.14159265358979323846));
}

static FILE *open_part(const char *prefix, const char *part, const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s.%s", prefix, part);
  FILE *file = fopen(path, mode);
  if (!file) {
    perror(path);
    exit(66);
  }
  return file;
}

// Makes circles of 50 m to 2 km, most of them in towns of constant density, and walkers and drivers that start in towns.
static void make(const char *prefix, size_t count) {
  uint64_t state = 1;
  double side = fmax(0.5, 10 * sqrt((double)count / 1e6)), low = 50 - side / 2, high = 50 + side / 2;
  size_t towns = count / TOWN > 3 ? count / TOWN : 3;
  double(*town)[2] = malloc(towns * sizeof *town);
  for (size_t index = 0; index < towns; index++) {
    town[index][0] = uniform(&state, low, high);
    town[index][1] = uniform(&state, low - 40, high - 40);
  }
  FILE *file = open_part(prefix, "regions", "wb");
  for (size_t index = 0; index < count; index++) {
    double row[3] = {uniform(&state, low, high), uniform(&state, low - 40, high - 40), 0};
    if (uniform(&state, 0, 1) < 0.7) {
      double *home = town[(size_t)uniform(&state, 0, (double)towns)];
      row[0] = home[0] + normal(&state, 0.08);
      row[1] = home[1] + normal(&state, 0.08);
    }
    row[2] = exp(uniform(&state, log(50), log(2000)));
    fwrite(row, sizeof row, 1, file);
  }
  fclose(file);
  file = open_part(prefix, "fixes", "wb");
  static const double speeds[] = {1.4, 3, 8, 14, 30};
  for (int track = 0; track < TRACKS; track++) {
    double *home = town[(size_t)track % towns], row[4] = {track, 0, home[0], home[1]}, heading = uniform(&state, 0, 6.28);
    for (int second = 0; second < FIXES / TRACKS; second++) {
      heading += normal(&state, 0.05);
      double step = speeds[track % 5] / metres_per_degree;
      row[1] = second;
      row[2] += step * cos(heading);
      row[3] += step * sin(heading) / cos(row[2] * degree);
      fwrite(row, sizeof row, 1, file);
    }
  }
  fclose(file);
}

static double *rows(const char *prefix, const char *part, size_t width, size_t *count) {
  FILE *file = open_part(prefix, part, "rb");
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  double *values = malloc((size_t)size + 1);
  *count = fread(values, width * sizeof *values, (size_t)size / (width * sizeof *values), file);
  fclose(file);
  return values;
}

static Circle circle(const double *row) {
  double radial = cos(row[0] * degree), half = 2 * sin(row[2] / earth / 2);
  return (Circle){radial * cos(row[1] * degree), radial * sin(row[1] * degree), sin(row[0] * degree), half * half};
}

static uint32_t bucket(uint64_t row, uint64_t column, uint32_t mask) {
  return (uint32_t)((row * ROW + column) * 0x9e3779b97f4a7c15ull >> 33) & mask;
}

static size_t cells(const double *row, uint32_t mask, uint32_t *found) {
  double height = row[2] / metres_per_degree, width = height / cos(fmin(89, fabs(row[0]) + height) * degree);
  size_t count = 0;
  for (int y = (int)floor((row[0] - height + 90) / cell); y <= (int)floor((row[0] + height + 90) / cell); y++)
    for (int x = (int)floor((row[1] - width + 180) / cell); x <= (int)floor((row[1] + width + 180) / cell); x++)
      found[count++] = bucket((uint64_t)y, (uint64_t)((x + ROW) % ROW), mask);
  return count;
}

static int ascending(const void *a, const void *b) {
  uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
  return first < second ? -1 : first > second;
}

static void add(List *list, uint32_t number) {
  if (list->count == list->room)
    list->numbers = realloc(list->numbers, (list->room = list->room ? 2 * list->room : 64) * sizeof *list->numbers);
  list->numbers[list->count++] = number;
}

int main(int count, char **arguments) {
  if (count == 4 && !strcmp(arguments[1], "make")) {
    make(arguments[2], strtoul(arguments[3], NULL, 10));
    return 0;
  }
  if (count != 3 || atoi(arguments[2]) < 1) {
    fprintf(stderr, "usage: %s make PREFIX REGIONS | PREFIX PASSES\n", arguments[0]);
    return 64;
  }
  size_t regions, fixes;
  double *region = rows(arguments[1], "regions", 3, &regions), *fix = rows(arguments[1], "fixes", 4, &fixes);

  double start = processor_seconds();
  Circle *circles = malloc(regions * sizeof *circles);
  uint32_t buckets = 1, found[4096];
  while (buckets < 4 * regions)
    buckets *= 2;
  uint32_t *starts = calloc(buckets + 1, sizeof *starts);
  for (size_t index = 0; index < regions; index++) {
    circles[index] = circle(region + 3 * index);
    for (size_t each = cells(region + 3 * index, buckets - 1, found); each-- > 0;)
      starts[found[each] + 1]++;
  }
  for (uint32_t index = 0; index < buckets; index++)
    starts[index + 1] += starts[index];
  uint32_t *entries = malloc((starts[buckets] + 1) * sizeof *entries), *ends = malloc(buckets * sizeof *ends);
  memcpy(ends, starts, buckets * sizeof *ends);
  for (size_t index = 0; index < regions; index++)
    for (size_t each = cells(region + 3 * index, buckets - 1, found); each-- > 0;)
      entries[ends[found[each]]++] = (uint32_t)index;
  free(ends);
  double build = processor_seconds() - start, best = 1e9;

  uint64_t memberships = 0, enters = 0, exits = 0, checksum = 0;
  for (int pass = 0; pass < atoi(arguments[2]); pass++) {
    List previous[TRACKS] = {0}, current = {0};
    memberships = enters = exits = checksum = 0;
    start = processor_seconds();
    for (size_t index = 0; index < fixes; index++) {
      const double *row = fix + 4 * index;
      double radial = cos(row[2] * degree), x = radial * cos(row[3] * degree), y = radial * sin(row[3] * degree), z = sin(row[2] * degree);
      uint32_t where = bucket((uint64_t)floor((row[2] + 90) / cell), (uint64_t)floor((row[3] + 180) / cell) % ROW, buckets - 1);
      int sorted = 1;
      current.count = 0;
      for (uint32_t entry = starts[where]; entry < starts[where + 1]; entry++) {
        const Circle *c = circles + entries[entry];
        double dx = x - c->x, dy = y - c->y, dz = z - c->z;
        // Two cells of one circle may share a bucket and are adjacent there.
        if (dx * dx + dy * dy + dz * dz > c->limit || (current.count && current.numbers[current.count - 1] == entries[entry]))
          continue;
        if (current.count && current.numbers[current.count - 1] > entries[entry])
          sorted = 0;
        add(&current, entries[entry]);
      }
      if (!sorted)
        qsort(current.numbers, current.count, sizeof *current.numbers, ascending);
      List *before = previous + (int)row[0];
      if (current.count != before->count || (current.count && memcmp(current.numbers, before->numbers, current.count * sizeof(uint32_t)))) {
        for (size_t a = 0, b = 0; a < current.count || b < before->count;) {
          if (b == before->count || (a < current.count && current.numbers[a] < before->numbers[b]))
            enters++, a++;
          else if (a == current.count || before->numbers[b] < current.numbers[a])
            exits++, b++;
          else
            a++, b++;
        }
        before->count = 0;
        for (size_t a = 0; a < current.count; a++)
          add(before, current.numbers[a]);
      }
      memberships += current.count;
      for (size_t a = 0; a < current.count; a++)
        checksum += current.numbers[a] + 1;
    }
    double spent = processor_seconds() - start;
    if (spent < best)
      best = spent;
  }
  printf("{\"peer\":\"c-geo\",\"regions\":%zu,\"fixes\":%zu,\"memberships\":%llu,\"enters\":%llu,\"exits\":%llu,\"checksum\":%llu,"
         "\"build_us_per_region\":%.3f,\"ns_per_fix\":%.1f}\n",
         regions, fixes, (unsigned long long)memberships, (unsigned long long)enters, (unsigned long long)exits, (unsigned long long)checksum,
         build / (double)regions * 1e6, best / (double)fixes * 1e9);
  return 0;
}
