// The second yardstick for circles: a hashed grid in C++, written with the containers and algorithms of the standard library. It finds the
// circles of a fix, then sorts them and removes duplicates, where geo.c checks both while it finds them. Reads a world that geo.c made.
// usage: grid PREFIX PASSES   one line of JSON about the fastest of the passes
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

constexpr double earth = 6371008.8, degree = 3.14159265358979323846 / 180, cell = 0.01, metres_per_degree = 111194;
constexpr uint64_t columns = 36000;

struct Region { double latitude, longitude, radius; };
struct Fix { double track, time, latitude, longitude; };
struct Point { double x, y, z; };
struct Circle { Point center; double limit; };

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

template <class Row> std::vector<Row> rows(const std::string &path) {
  FILE *file = fopen(path.c_str(), "rb");
  if (!file) {
    perror(path.c_str());
    exit(66);
  }
  std::vector<Row> rows;
  Row row;
  while (fread(&row, sizeof row, 1, file) == 1)
    rows.push_back(row);
  fclose(file);
  return rows;
}

Point point(double latitude, double longitude) {
  double radial = cos(latitude * degree);
  return {radial * cos(longitude * degree), radial * sin(longitude * degree), sin(latitude * degree)};
}

class Grid {
 public:
  explicit Grid(const std::vector<Region> &regions) {
    uint32_t buckets = 1;
    while (buckets < 4 * regions.size())
      buckets *= 2;
    mask = buckets - 1;
    starts.assign(buckets + 1, 0);
    circles.reserve(regions.size());
    for (const Region &region : regions) {
      double half = 2 * sin(region.radius / earth / 2);
      circles.push_back({point(region.latitude, region.longitude), half * half});
      for_each_bucket(region, [&](uint32_t bucket) { starts[bucket + 1]++; });
    }
    for (uint32_t bucket = 0; bucket < buckets; bucket++)
      starts[bucket + 1] += starts[bucket];
    entries.resize(starts[buckets]);
    std::vector<uint32_t> ends(starts.begin(), starts.end() - 1);
    for (uint32_t number = 0; number < regions.size(); number++)
      for_each_bucket(regions[number], [&](uint32_t bucket) { entries[ends[bucket]++] = number; });
  }

  void find(const Fix &fix, std::vector<uint32_t> &found) const {
    found.clear();
    Point at = point(fix.latitude, fix.longitude);
    const uint32_t bucket = this->bucket((uint64_t)floor((fix.latitude + 90) / cell), (uint64_t)floor((fix.longitude + 180) / cell) % columns);
    const Circle *const first = circles.data();
    for (auto entry = entries.begin() + starts[bucket], end = entries.begin() + starts[bucket + 1]; entry != end; ++entry) {
      const Circle &circle = first[*entry];
      double x = at.x - circle.center.x, y = at.y - circle.center.y, z = at.z - circle.center.z;
      if (x * x + y * y + z * z <= circle.limit)
        found.push_back(*entry);
    }
    if (!std::is_sorted(found.begin(), found.end()))
      std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }

 private:
  std::vector<Circle> circles;
  std::vector<uint32_t> starts, entries;
  uint32_t mask;

  uint32_t bucket(uint64_t row, uint64_t column) const { return (uint32_t)((row * columns + column) * 0x9e3779b97f4a7c15ull >> 33) & mask; }

  template <class Body> void for_each_bucket(const Region &region, Body body) const {
    double height = region.radius / metres_per_degree, width = height / cos(std::min(89.0, fabs(region.latitude) + height) * degree);
    auto index = [](double degrees) { return (int)floor(degrees / cell); };
    for (int row = index(region.latitude - height + 90); row <= index(region.latitude + height + 90); row++)
      for (int column = index(region.longitude - width + 180); column <= index(region.longitude + width + 180); column++)
        body(bucket((uint64_t)row, (uint64_t)(column + (int)columns) % columns));
  }
};

struct Tally { uint64_t memberships = 0, enters = 0, exits = 0, checksum = 0; };

Tally walk(const Grid &grid, const std::vector<Fix> &fixes) {
  Tally tally;
  std::vector<std::vector<uint32_t>> previous(64);
  std::vector<uint32_t> current;
  for (const Fix &fix : fixes) {
    grid.find(fix, current);
    std::vector<uint32_t> &before = previous[(size_t)fix.track];
    if (current != before) {
      size_t a = 0, b = 0;
      while (a < current.size() || b < before.size()) {
        if (b == before.size() || (a < current.size() && current[a] < before[b]))
          tally.enters++, a++;
        else if (a == current.size() || before[b] < current[a])
          tally.exits++, b++;
        else
          a++, b++;
      }
      before = current;
    }
    tally.memberships += current.size();
    for (uint32_t number : current)
      tally.checksum += number + 1;
  }
  return tally;
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 3 || atoi(arguments[2]) < 1) {
    fprintf(stderr, "usage: %s PREFIX PASSES\n", arguments[0]);
    return 64;
  }
  std::string prefix = arguments[1];
  std::vector<Region> regions = rows<Region>(prefix + ".regions");
  std::vector<Fix> fixes = rows<Fix>(prefix + ".fixes");
  double start = processor_seconds();
  Grid grid(regions);
  double build = processor_seconds() - start, best = 1e9;
  Tally tally;
  for (int pass = 0; pass < atoi(arguments[2]); pass++) {
    start = processor_seconds();
    tally = walk(grid, fixes);
    best = std::min(best, processor_seconds() - start);
  }
  printf("{\"peer\":\"c++-grid\",\"regions\":%zu,\"fixes\":%zu,\"memberships\":%llu,\"enters\":%llu,\"exits\":%llu,\"checksum\":%llu,"
         "\"build_us_per_region\":%.3f,\"ns_per_fix\":%.1f}\n",
         regions.size(), fixes.size(), (unsigned long long)tally.memberships, (unsigned long long)tally.enters, (unsigned long long)tally.exits,
         (unsigned long long)tally.checksum, build / (double)regions.size() * 1e6, best / (double)fixes.size() * 1e9);
  return 0;
}
