// libpq, opened by the first connection to PostgreSQL. A program that makes no connection does not
// load libpq and runs without it. The build does not need libpq's headers.
//
// The numbers and signatures belong to libpq's binary interface, version 5, which later releases
// have only extended. See https://www.postgresql.org/docs/current/libpq.html.
#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <stddef.h>
#include <stdint.h>

// Opens the library. Returns NULL on success, else a description of the failure; after a failure no
// other function may be called. May be called from any thread, and more than once.
const char *cpq_open(void);

// One connection, in nonblocking mode. `keys` and `values` end with NULL. Notices are dropped,
// because libpq would print them.
void *cpq_connect(const char *const *keys, const char *const *values);
int cpq_connect_poll(void *connection);
// Called once after the connection is made. Returns 0 on success.
int cpq_connected(void *connection);
void cpq_close(void *connection);
int cpq_is_open(const void *connection);
int cpq_socket(const void *connection);
int cpq_transaction_status(const void *connection);
// The last error of the connection, of one or more lines.
const char *cpq_error(const void *connection);
int cpq_needs_password(const void *connection);
int cpq_used_password(const void *connection);

// These return 1 on success, 0 on failure.
int cpq_send_script(void *connection, const char *text);
// A type of 0 is inferred by the server.
int cpq_send(void *connection, const char *text, int count, const uint32_t *types,
             const char *const *values);
int cpq_set_single_row_mode(void *connection);
int cpq_consume_input(void *connection);

// Returns 0 after everything was sent, 1 if bytes are left, -1 on failure.
int cpq_flush(void *connection);
int cpq_is_busy(void *connection);
// The next result of the statement; NULL at its end.
void *cpq_next_result(void *connection);

// Return 1 on success, 0 if the connection must become writable first, -1 on failure.
int cpq_put_copy(void *connection, const char *bytes, int count);
int cpq_end_copy(void *connection, const char *failure);

// Asks the server to end the statement that the connection runs. May be called from any thread, and
// waits for the server. Returns 1 if the request was sent.
void *cpq_cancel_new(void *connection);
int cpq_cancel(void *cancel);
void cpq_cancel_free(void *cancel);

// The next notification that has been read from the connection. Returns 1 with the beginning of its
// payload, which ends with a zero byte; 0 without a notification.
int cpq_take_notification(void *connection, char *payload, int size);

// One result.
void cpq_clear(void *result);
int cpq_status(const void *result);
// A field of an error; NULL without it.
const char *cpq_error_field(const void *result, int field);
const char *cpq_result_error(const void *result);
int cpq_row_count(const void *result);
int cpq_column_count(const void *result);
const char *cpq_column_name(const void *result, int column);
uint32_t cpq_column_type(const void *result, int column);
// The text of a value with its number of bytes; NULL for null.
const char *cpq_value(const void *result, int row, int column, int *count);
// `INSERT 0 2`, and its last number as text, "" without one.
const char *cpq_command(void *result);
const char *cpq_changed_rows(void *result);

// Steps of a connection that is being made.
#define CPQ_POLLING_FAILED 0
#define CPQ_POLLING_READING 1
#define CPQ_POLLING_WRITING 2
#define CPQ_POLLING_OK 3

// The status of a result.
#define CPQ_EMPTY_QUERY 0
#define CPQ_COMMAND_OK 1
#define CPQ_TUPLES_OK 2
#define CPQ_COPY_OUT 3
#define CPQ_COPY_IN 4
#define CPQ_NONFATAL_ERROR 6
#define CPQ_COPY_BOTH 8
#define CPQ_SINGLE_TUPLE 9

// The status of a transaction.
#define CPQ_TRANSACTION_IDLE 0
#define CPQ_TRANSACTION_ACTIVE 1
#define CPQ_TRANSACTION_OPEN 2

// Fields of an error.
#define CPQ_FIELD_SQLSTATE 67 // C
#define CPQ_FIELD_MESSAGE 77 // M
#define CPQ_FIELD_DETAIL 68 // D
#define CPQ_FIELD_HINT 72 // H
#define CPQ_FIELD_POSITION 80 // P
#define CPQ_FIELD_CONTEXT 87 // W

#endif
