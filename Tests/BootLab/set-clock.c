// set-clock SECONDS: sets the clock to this time since 1970, and marks it synchronised as a time service does.
#include <stdio.h>
#include <stdlib.h>
#include <sys/timex.h>
#include <time.h>

int main(int count, char **arguments) {
  if (count != 2) return fputs("usage: set-clock SECONDS\n", stderr), 64;
  const struct timespec time = {strtoll(arguments[1], NULL, 10), 0};
  struct timex state = {.modes = ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR, .status = STA_PLL};
  if (clock_settime(CLOCK_REALTIME, &time) != 0 || adjtimex(&state) < 0) return perror("set-clock"), 71;
  return 0;
}
