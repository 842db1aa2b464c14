// Lists the functions of a program in the order of their first calls.
// usage: trace FUNCTIONS LIST PROGRAM [ARGUMENT...]
// FUNCTIONS has a line "ADDRESS NAME" for each function, from nm; LIST is written when the program ends. SIGTERM goes to the program, and
// its exit status is returned; it is 77 if the kernel does not permit tracing, as in some containers.
//
// Each function begins with a breakpoint that is removed when it is reached, so that the program runs at its full speed after the first
// calls. For x86-64, position-independent programs without children.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_PERMITTED = 77 };

typedef struct {
  uint64_t address;
  char *name;
  uint8_t octet;  // the octet that the breakpoint replaces
  int is_called;
} Function;

static Function *functions;
static size_t count;
static pid_t child;

static void fail(const char *what) {
  perror(what);
  if (child > 0) kill(child, SIGKILL);
  exit(1);
}

static int by_address(const void *a, const void *b) {
  uint64_t left = ((const Function *)a)->address, right = ((const Function *)b)->address;
  return (left > right) - (left < right);
}

static void load(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  uint64_t address;
  char *name;
  for (size_t room = 0; fscanf(file, "%lx %ms", &address, &name) == 2; count++) {
    if (count == room && !(functions = realloc(functions, (room = room ? 2 * room : 1 << 16) * sizeof *functions))) fail("memory");
    functions[count] = (Function){.address = address, .name = name};
  }
  fclose(file);
  qsort(functions, count, sizeof *functions, by_address);
  // Identical functions have one address, so each address has one name.
  size_t kept = 0;
  for (size_t index = 0; index < count; index++)
    if (!kept || functions[kept - 1].address != functions[index].address) functions[kept++] = functions[index];
  count = kept;
}

// Returns the address at which the kernel has loaded the program.
static uint64_t base(void) {
  char path[64];
  uint64_t start;
  snprintf(path, sizeof path, "/proc/%d/maps", child);
  FILE *maps = fopen(path, "r");
  if (!maps || fscanf(maps, "%lx-", &start) != 1) fail(path);
  fclose(maps);
  return start;
}

static void transfer(int memory, Function *function, uint64_t start, int is_set) {
  uint8_t breakpoint = 0xCC, *octet = is_set ? &breakpoint : &function->octet;
  if (is_set && pread(memory, &function->octet, 1, (off_t)(start + function->address)) != 1) fail("read");
  if (pwrite(memory, octet, 1, (off_t)(start + function->address)) != 1) fail("write");
}

static void forward(int signal) { kill(child, signal); }

// Continues after our breakpoint. Returns false for any other trap.
static int is_first_call(int memory, uint64_t start, FILE *list) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, child, 0, &registers)) fail("registers");
  Function key = {.address = registers.rip - 1 - start}, *function = bsearch(&key, functions, count, sizeof key, by_address);
  if (!function || function->is_called) return 0;
  function->is_called = 1;
  fprintf(list, "%s\n", function->name);
  transfer(memory, function, start, 0);
  registers.rip--;
  if (ptrace(PTRACE_SETREGS, child, 0, &registers)) fail("registers");
  return 1;
}

int main(int arguments, char **words) {
  if (arguments < 4) {
    fprintf(stderr, "usage: trace FUNCTIONS LIST PROGRAM [ARGUMENT...]\n");
    return 64;
  }
  load(words[1]);
  FILE *list = fopen(words[2], "w");
  if (!list) fail(words[2]);
  child = fork();
  if (child < 0) fail("fork");
  if (!child) {
    if (ptrace(PTRACE_TRACEME, 0, 0, 0)) _exit(NOT_PERMITTED);
    execv(words[3], words + 3);
    perror(words[3]);
    _exit(127);
  }
  signal(SIGTERM, forward);
  int status;
  if (waitpid(child, &status, 0) < 0) fail("start");
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  uint64_t start = base();
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", child);
  int memory = open(path, O_RDWR | O_CLOEXEC);
  if (memory < 0) fail(path);
  for (size_t index = 0; index < count; index++) transfer(memory, functions + index, start, 1);
  for (int passed = 0;; ) {
    if (ptrace(PTRACE_CONT, child, 0, passed)) fail("continue");
    while (waitpid(child, &status, 0) < 0)
      if (errno != EINTR) fail("wait");
    if (!WIFSTOPPED(status)) break;
    passed = WSTOPSIG(status);
    if (passed == SIGTRAP && is_first_call(memory, start, list)) passed = 0;
  }
  fclose(list);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
