#ifndef BEACONMON_CSQLITE_H
#define BEACONMON_CSQLITE_H

#include <sqlite3.h>

/* Variadic functions and SQLITE_TRANSIENT, a number cast to a function, do not import. */
static inline int sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
static inline int sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *octets, int length) {
  return sqlite3_bind_blob(statement, index, octets, length, SQLITE_TRANSIENT);
}
static inline int sqlite_set_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

#endif
