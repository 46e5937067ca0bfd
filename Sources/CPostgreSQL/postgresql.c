#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// A notification, which libpq allocates.
struct notification {
  char *channel;
  int process;
  char *payload;
  struct notification *next;
};

static struct {
  void *(*connectStartParams)(const char *const *keys, const char *const *values, int expand);
  int (*connectPoll)(void *connection);
  void (*finish)(void *connection);
  int (*status)(const void *connection);
  int (*socket)(const void *connection);
  int (*transactionStatus)(const void *connection);
  char *(*errorMessage)(const void *connection);
  int (*connectionNeedsPassword)(const void *connection);
  int (*connectionUsedPassword)(const void *connection);
  int (*setnonblocking)(void *connection, int on);
  void *(*setNoticeProcessor)(void *connection, void (*process)(void *, const char *), void *);
  int (*sendQuery)(void *connection, const char *text);
  int (*sendQueryParams)(void *connection, const char *text, int count, const uint32_t *types,
                         const char *const *values, const int *counts, const int *formats,
                         int format);
  int (*setSingleRowMode)(void *connection);
  int (*consumeInput)(void *connection);
  int (*flush)(void *connection);
  int (*isBusy)(void *connection);
  void *(*getResult)(void *connection);
  int (*putCopyData)(void *connection, const char *bytes, int count);
  int (*putCopyEnd)(void *connection, const char *failure);
  void *(*getCancel)(void *connection);
  int (*cancel)(void *cancel, char *failure, int size);
  void (*freeCancel)(void *cancel);
  struct notification *(*notifies)(void *connection);
  void (*freemem)(void *memory);
  void (*clear)(void *result);
  int (*resultStatus)(const void *result);
  char *(*resultErrorField)(const void *result, int field);
  char *(*resultErrorMessage)(const void *result);
  int (*ntuples)(const void *result);
  int (*nfields)(const void *result);
  char *(*fname)(const void *result, int column);
  uint32_t (*ftype)(const void *result, int column);
  char *(*getvalue)(const void *result, int row, int column);
  int (*getlength)(const void *result, int row, int column);
  int (*getisnull)(const void *result, int row, int column);
  char *(*cmdStatus)(void *result);
  char *(*cmdTuples)(void *result);
} pq;

#define SYMBOL(name) {"PQ" #name, (void **)&pq.name}
static const struct {
  const char *name;
  void **place;
} symbols[] = {
    SYMBOL(connectStartParams), SYMBOL(connectPoll), SYMBOL(finish), SYMBOL(status),
    SYMBOL(socket), SYMBOL(transactionStatus), SYMBOL(errorMessage),
    SYMBOL(connectionNeedsPassword), SYMBOL(connectionUsedPassword), SYMBOL(setnonblocking),
    SYMBOL(setNoticeProcessor), SYMBOL(sendQuery), SYMBOL(sendQueryParams),
    SYMBOL(setSingleRowMode), SYMBOL(consumeInput), SYMBOL(flush), SYMBOL(isBusy),
    SYMBOL(getResult), SYMBOL(putCopyData), SYMBOL(putCopyEnd), SYMBOL(getCancel), SYMBOL(cancel),
    SYMBOL(freeCancel), SYMBOL(notifies), SYMBOL(freemem), SYMBOL(clear), SYMBOL(resultStatus),
    SYMBOL(resultErrorField), SYMBOL(resultErrorMessage), SYMBOL(ntuples), SYMBOL(nfields),
    SYMBOL(fname), SYMBOL(ftype),
    SYMBOL(getvalue), SYMBOL(getlength), SYMBOL(getisnull), SYMBOL(cmdStatus), SYMBOL(cmdTuples),
};

#ifdef __APPLE__
static const char name[] = "libpq.5.dylib";
#else
static const char name[] = "libpq.so.5";
#endif

static char failure[512];

static void open_library(void) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(failure, sizeof failure, "%s", dlerror());
    return;
  }
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    *symbols[i].place = dlsym(library, symbols[i].name);
    if (!*symbols[i].place) {
      snprintf(failure, sizeof failure, "%s is missing in %s", symbols[i].name, name);
      return;
    }
  }
}

const char *cpq_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return failure[0] ? failure : NULL;
}

static void drop_notice(void *context, const char *message) {
  (void)context;
  (void)message;
}

void *cpq_connect(const char *const *keys, const char *const *values) {
  void *connection = pq.connectStartParams(keys, values, 0);
  if (connection) pq.setNoticeProcessor(connection, drop_notice, NULL);
  return connection;
}
int cpq_connect_poll(void *connection) { return pq.connectPoll(connection); }
int cpq_connected(void *connection) { return pq.setnonblocking(connection, 1); }
void cpq_close(void *connection) { pq.finish(connection); }
int cpq_is_open(const void *connection) { return pq.status(connection) != 1; }
int cpq_socket(const void *connection) { return pq.socket(connection); }
int cpq_transaction_status(const void *connection) { return pq.transactionStatus(connection); }
const char *cpq_error(const void *connection) { return pq.errorMessage(connection); }
int cpq_needs_password(const void *connection) { return pq.connectionNeedsPassword(connection); }
int cpq_used_password(const void *connection) { return pq.connectionUsedPassword(connection); }

int cpq_send_script(void *connection, const char *text) { return pq.sendQuery(connection, text); }
int cpq_send(void *connection, const char *text, int count, const uint32_t *types,
             const char *const *values) {
  return pq.sendQueryParams(connection, text, count, types, values, NULL, NULL, 0);
}
int cpq_set_single_row_mode(void *connection) { return pq.setSingleRowMode(connection); }
int cpq_consume_input(void *connection) { return pq.consumeInput(connection); }
int cpq_flush(void *connection) { return pq.flush(connection); }
int cpq_is_busy(void *connection) { return pq.isBusy(connection); }
void *cpq_next_result(void *connection) { return pq.getResult(connection); }

int cpq_put_copy(void *connection, const char *bytes, int count) {
  return pq.putCopyData(connection, bytes, count);
}
int cpq_end_copy(void *connection, const char *failure) {
  return pq.putCopyEnd(connection, failure);
}

void *cpq_cancel_new(void *connection) { return pq.getCancel(connection); }
int cpq_cancel(void *cancel) {
  char reason[256];
  return pq.cancel(cancel, reason, sizeof reason);
}
void cpq_cancel_free(void *cancel) { pq.freeCancel(cancel); }

int cpq_take_notification(void *connection, char *payload, int size) {
  struct notification *notification = pq.notifies(connection);
  if (!notification) return 0;
  snprintf(payload, (size_t)size, "%s", notification->payload);
  pq.freemem(notification);
  return 1;
}

void cpq_clear(void *result) { pq.clear(result); }
int cpq_status(const void *result) { return pq.resultStatus(result); }
const char *cpq_error_field(const void *result, int field) {
  return pq.resultErrorField(result, field);
}
const char *cpq_result_error(const void *result) { return pq.resultErrorMessage(result); }
int cpq_row_count(const void *result) { return pq.ntuples(result); }
int cpq_column_count(const void *result) { return pq.nfields(result); }
const char *cpq_column_name(const void *result, int column) { return pq.fname(result, column); }
uint32_t cpq_column_type(const void *result, int column) { return pq.ftype(result, column); }
const char *cpq_value(const void *result, int row, int column, int *count) {
  *count = pq.getlength(result, row, column);
  // libpq returns "" for null, with a length of 0.
  if (*count == 0 && pq.getisnull(result, row, column)) return NULL;
  return pq.getvalue(result, row, column);
}
const char *cpq_command(void *result) { return pq.cmdStatus(result); }
const char *cpq_changed_rows(void *result) { return pq.cmdTuples(result); }
