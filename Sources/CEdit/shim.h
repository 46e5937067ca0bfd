#pragma once

#include <histedit.h>
#include <stdio.h>
#include <wchar.h>

// Swift imports neither C variadic functions nor the standard streams. This header wraps those that
// dsshell uses in functions with fixed arguments.

static inline FILE *ds_stdin(void) { return stdin; }
static inline FILE *ds_stderr(void) { return stderr; }

static inline int ds_el_set_int(EditLine *el, int operation, int value) {
  return el_set(el, operation, value);
}

static inline int ds_el_set_editor(EditLine *el, const char *name) {
  return el_set(el, EL_EDITOR, name);
}

static inline const char *ds_el_editor(EditLine *el) {
  const char *name = NULL;
  return el_get(el, EL_EDITOR, &name) == 0 ? name : NULL;
}

static inline int ds_el_set_mode(EditLine *el, const char *modes, const char *setting) {
  return el_set(el, EL_SETTY, modes, setting, NULL);
}

static inline int ds_el_set_history(EditLine *el, History *entries) {
  return el_set(el, EL_HIST, history, entries);
}

static inline int ds_el_set_getc(EditLine *el, int (*read)(EditLine *, wchar_t *)) {
  return el_set(el, EL_GETCFN, read);
}

static inline int ds_el_set_client(EditLine *el, void *client) {
  return el_set(el, EL_CLIENTDATA, client);
}

static inline void *ds_el_client(EditLine *el) {
  void *client = NULL;
  return el_get(el, EL_CLIENTDATA, &client) == 0 ? client : NULL;
}

static inline int ds_el_add_function(
    EditLine *el, const char *name, const char *help, unsigned char (*function)(EditLine *, int)) {
  return el_set(el, EL_ADDFN, name, help, function);
}

static inline int ds_el_bind(EditLine *el, const char *key, const char *function) {
  return el_set(el, EL_BIND, key, function, NULL);
}

static inline int ds_history_set_size(History *entries, int size) {
  HistEvent event;
  return history(entries, &event, H_SETSIZE, size);
}

static inline int ds_history_set_unique(History *entries, int isUnique) {
  HistEvent event;
  return history(entries, &event, H_SETUNIQUE, isUnique);
}

static inline int ds_history_enter(History *entries, const char *entry) {
  HistEvent event;
  return history(entries, &event, H_ENTER, entry);
}
