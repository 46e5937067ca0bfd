#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// The result of curl_multi_info_read.
typedef struct {
  int message;
  void *easy;
  union {
    void *pointer;
    int code;
  } data;
} multi_message;

enum { MESSAGE_DONE = 1, GLOBAL_DEFAULT = 3 };

static struct {
  int (*global_init)(long flags);
  void *(*easy_init)(void);
  void (*easy_cleanup)(void *easy);
  int (*easy_setopt)(void *easy, int option, ...);
  int (*easy_getinfo)(void *easy, int info, ...);
  int (*easy_pause)(void *easy, int state);
  const char *(*easy_strerror)(int code);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *multi);
  int (*multi_add_handle)(void *multi, void *easy);
  int (*multi_remove_handle)(void *multi, void *easy);
  int (*multi_perform)(void *multi, int *running);
  int (*multi_poll)(void *multi, void *more, unsigned count, int milliseconds, int *ready);
  int (*multi_wakeup)(void *multi);
  multi_message *(*multi_info_read)(void *multi, int *left);
  void *(*slist_append)(void *list, const char *text);
  void (*slist_free_all)(void *list);
  void *(*url)(void);
  void (*url_cleanup)(void *url);
  int (*url_set)(void *url, int part, const char *text, unsigned flags);
  int (*url_get)(void *url, int part, char **text, unsigned flags);
  void (*free)(void *memory);
} curl;

#define SYMBOL(name) {"curl_" #name, (void **)&curl.name}
static const struct {
  const char *name;
  void **place;
} symbols[] = {
    SYMBOL(global_init), SYMBOL(easy_init), SYMBOL(easy_cleanup), SYMBOL(easy_setopt),
    SYMBOL(easy_getinfo), SYMBOL(easy_pause), SYMBOL(easy_strerror), SYMBOL(multi_init),
    SYMBOL(multi_cleanup), SYMBOL(multi_add_handle), SYMBOL(multi_remove_handle),
    SYMBOL(multi_perform), SYMBOL(multi_poll), SYMBOL(multi_wakeup), SYMBOL(multi_info_read),
    SYMBOL(slist_append), SYMBOL(slist_free_all), SYMBOL(url), SYMBOL(url_cleanup), SYMBOL(url_set),
    SYMBOL(url_get), SYMBOL(free),
};

// The last name belongs to Debian's build with GnuTLS.
static const char *const libraries[] = {
#ifdef __APPLE__
    "libcurl.4.dylib",
#else
    "libcurl.so.4",
    "libcurl-gnutls.so.4",
#endif
};

static char failure[512];

static void open_library(void) {
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof libraries / sizeof *libraries; i++) {
    library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
    // Report the failure of the first name.
    if (!library && !failure[0]) snprintf(failure, sizeof failure, "%s", dlerror());
  }
  if (!library) return;
  failure[0] = 0;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    *symbols[i].place = dlsym(library, symbols[i].name);
    if (!*symbols[i].place) {
      snprintf(failure, sizeof failure, "%s is missing: the library is older than 7.68", symbols[i].name);
      return;
    }
  }
  int code = curl.global_init(GLOBAL_DEFAULT);
  if (code) snprintf(failure, sizeof failure, "%s", curl.easy_strerror(code));
}

const char *ccurl_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_library);
  return failure[0] ? failure : NULL;
}

void *ccurl_easy_new(void) { return curl.easy_init(); }
void ccurl_easy_free(void *easy) { curl.easy_cleanup(easy); }
int ccurl_set_number(void *easy, int option, long number) {
  return curl.easy_setopt(easy, option, number);
}
int ccurl_set_text(void *easy, int option, const char *text) {
  return curl.easy_setopt(easy, option, text);
}
int ccurl_set_pointer(void *easy, int option, void *pointer) {
  return curl.easy_setopt(easy, option, pointer);
}
int ccurl_set_receiver(void *easy, int option, ccurl_receiver receiver) {
  return curl.easy_setopt(easy, option, receiver);
}
int ccurl_get_number(void *easy, int info, long *number) {
  return curl.easy_getinfo(easy, info, number);
}
int ccurl_get_microseconds(void *easy, int info, int64_t *time) {
  return curl.easy_getinfo(easy, info, time);
}
int ccurl_resume(void *easy) { return curl.easy_pause(easy, 0); }
const char *ccurl_description(int code) { return curl.easy_strerror(code); }

void *ccurl_multi_new(void) { return curl.multi_init(); }
void ccurl_multi_free(void *multi) { curl.multi_cleanup(multi); }
int ccurl_multi_add(void *multi, void *easy) { return curl.multi_add_handle(multi, easy); }
int ccurl_multi_remove(void *multi, void *easy) { return curl.multi_remove_handle(multi, easy); }
int ccurl_multi_perform(void *multi) {
  int running = 0;
  return curl.multi_perform(multi, &running);
}
int ccurl_multi_wait(void *multi, int milliseconds) {
  return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}
int ccurl_multi_wake(void *multi) { return curl.multi_wakeup(multi); }
void *ccurl_multi_next_ended(void *multi, int *code) {
  int left = 0;
  multi_message *message;
  while ((message = curl.multi_info_read(multi, &left))) {
    if (message->message != MESSAGE_DONE) continue;
    *code = message->data.code;
    return message->easy;
  }
  return NULL;
}

void *ccurl_list_append(void *list, const char *text) { return curl.slist_append(list, text); }
void ccurl_list_free(void *list) { curl.slist_free_all(list); }

void *ccurl_url_new(void) { return curl.url(); }
void ccurl_url_free(void *url) { curl.url_cleanup(url); }
int ccurl_url_set(void *url, int part, const char *text, unsigned flags) {
  return curl.url_set(url, part, text, flags);
}
int ccurl_url_get(void *url, int part, char **text, unsigned flags) {
  return curl.url_get(url, part, text, flags);
}
void ccurl_text_free(char *text) { curl.free(text); }
