// The entry of the installed program, which contains the daemon, the notifier, the server of the page and the command line: four programs would contain the Swift
// runtime and most modules four times. The name by which it is started selects one of them. `make build` links it; SwiftPM builds each program on its own as well.
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int beaconmon_main(int argc, char **argv);
int beaconmond_main(int argc, char **argv);
int beaconmon_notifier_main(int argc, char **argv);
int beaconmon_web_main(int argc, char **argv);

// The last name in Benchmarks/order/functions.txt: the linker places it behind the functions that the services call.
__attribute__((section(".text.beaconmon_end_of_order"), used)) void beaconmon_end_of_order(void) {}

// Divides a mapping of the program's file into mappings of four pages.
//
// For each page that is touched, the kernel maps those of the 15 around it that it has in memory, but never beyond the mapping (do_fault_around). It merges
// neighbouring mappings with equal properties, so every second one gets a property without an effect: a core dump contains none of these pages anyway, except
// for the first one, by which a debugger recognises the program. If the kernel refuses, the service only takes more memory.
static void divide(uintptr_t start, uintptr_t end) {
  const uintptr_t size = 4 * (uintptr_t)sysconf(_SC_PAGESIZE);
  for (uintptr_t block = (start + size - 1) / size * size + size; block + size <= end; block += 2 * size)
    if (madvise((void *)block, size, MADV_DONTDUMP)) return;
}

// Divides the code that services call, and all constants but the tables for exceptions, which are at the end of their segment.
static int divide_program(struct dl_phdr_info *program, size_t size, void *context) {
  (void)size;
  (void)context;
  uintptr_t tables = UINTPTR_MAX;
  for (int index = 0; index < program->dlpi_phnum; index++)
    if (program->dlpi_phdr[index].p_type == PT_GNU_EH_FRAME) tables = program->dlpi_addr + program->dlpi_phdr[index].p_vaddr;
  for (int index = 0; index < program->dlpi_phnum; index++) {
    const ElfW(Phdr) *header = &program->dlpi_phdr[index];
    if (header->p_type != PT_LOAD || header->p_flags & PF_W) continue;
    uintptr_t start = program->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;
    uintptr_t limit = header->p_flags & PF_X ? (uintptr_t)beaconmon_end_of_order : tables;
    divide(start, limit > start && limit < end ? limit : end);
  }
  // The first object is the program; its libraries stay as they are.
  return 1;
}

static int as_service(int (*program)(int, char **), int argc, char **argv) {
  dl_iterate_phdr(divide_program, NULL);
  return program(argc, argv);
}

int main(int argc, char **argv) {
  const char *path = argc > 0 ? argv[0] : "";
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  // A copy may have a suffix, such as a version.
  if (!strncmp(name, "beaconmond", 10)) return as_service(beaconmond_main, argc, argv);
  if (!strncmp(name, "beaconmon-notifier", 18)) return as_service(beaconmon_notifier_main, argc, argv);
  if (!strncmp(name, "beaconmon-web", 13)) return as_service(beaconmon_web_main, argc, argv);
  return beaconmon_main(argc, argv);
}
