// libcurl, opened by the first request. A program that sends no request does not load libcurl and
// runs without it. The build does not need libcurl's headers.
//
// The numbers and signatures belong to libcurl's binary interface. Version 7.68 is the oldest that
// has all of them, and later versions have not changed them. See https://curl.se/libcurl/c/.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

// Opens the library. Returns NULL on success, else a description of the failure; after a failure no
// other function may be called. May be called from any thread, and more than once.
const char *ccurl_open(void);

// One transfer.
void *ccurl_easy_new(void);
void ccurl_easy_free(void *easy);
int ccurl_set_number(void *easy, int option, long number);
int ccurl_set_text(void *easy, int option, const char *text);
int ccurl_set_pointer(void *easy, int option, void *pointer);
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);
int ccurl_set_receiver(void *easy, int option, ccurl_receiver receiver);
int ccurl_get_number(void *easy, int info, long *number);
int ccurl_get_microseconds(void *easy, int info, int64_t *time);
int ccurl_resume(void *easy);
const char *ccurl_description(int code);

// Many transfers in one thread. Other threads may only call `ccurl_multi_wake`.
void *ccurl_multi_new(void);
void ccurl_multi_free(void *multi);
int ccurl_multi_add(void *multi, void *easy);
int ccurl_multi_remove(void *multi, void *easy);
int ccurl_multi_perform(void *multi);
int ccurl_multi_wait(void *multi, int milliseconds);
int ccurl_multi_wake(void *multi);
// Returns the next transfer that has ended, and its result code; NULL if none has.
void *ccurl_multi_next_ended(void *multi, int *code);

// A list of headers. Appending returns the new list, or NULL if memory is exhausted.
void *ccurl_list_append(void *list, const char *text);
void ccurl_list_free(void *list);

// A URL in parts.
void *ccurl_url_new(void);
void ccurl_url_free(void *url);
int ccurl_url_set(void *url, int part, const char *text, unsigned flags);
// The caller frees the text with `ccurl_text_free`.
int ccurl_url_get(void *url, int part, char **text, unsigned flags);
void ccurl_text_free(char *text);

// Options.
#define CCURL_POST 47
#define CCURL_POSTFIELDSIZE 60
#define CCURL_FRESH_CONNECT 74
#define CCURL_NOSIGNAL 99
#define CCURL_BUFFERSIZE 98
#define CCURL_TIMEOUT_MS 155
#define CCURL_CONNECTTIMEOUT_MS 156
#define CCURL_HTTPAUTH 107
#define CCURL_PROTOCOLS 181
#define CCURL_PATH_AS_IS 234
#define CCURL_SUPPRESS_CONNECT_HEADERS 265
#define CCURL_HTTP09_ALLOWED 285
#define CCURL_WRITEDATA 10001
#define CCURL_URL 10002
#define CCURL_ERRORBUFFER 10010
#define CCURL_USERAGENT 10018
#define CCURL_HTTPHEADER 10023
#define CCURL_SSLCERT 10025
#define CCURL_KEYPASSWD 10026
#define CCURL_HEADERDATA 10029
#define CCURL_CAINFO 10065
#define CCURL_SSLCERTTYPE 10086
#define CCURL_SSLKEY 10087
#define CCURL_COPYPOSTFIELDS 10165
#define CCURL_USERNAME 10173
#define CCURL_PASSWORD 10174
#define CCURL_WRITEFUNCTION 20011
#define CCURL_HEADERFUNCTION 20079

// Facts about a transfer.
#define CCURL_CONNECT_CODE 2097174
#define CCURL_OS_ERROR 2097177
#define CCURL_PRETRANSFER_TIME 6291509

// Parts of a URL, and flags.
#define CCURL_PART_URL 0
#define CCURL_PART_SCHEME 1
#define CCURL_PART_USER 2
#define CCURL_PART_PASSWORD 3
#define CCURL_PART_HOST 5
#define CCURL_PART_PORT 6
#define CCURL_PART_QUERY 8
#define CCURL_PART_FRAGMENT 9
#define CCURL_DEFAULT_PORT 1
#define CCURL_NON_SUPPORT_SCHEME 8
#define CCURL_URLDECODE 64

#define CCURL_AUTH_BASIC 1
#define CCURL_AUTH_DIGEST 2
#define CCURL_ERROR_SIZE 256
#define CCURL_HTTP_AND_HTTPS 3
// A receiver returns this number to pause the transfer. After a resume, it receives the same bytes
// again.
#define CCURL_PAUSE 0x10000001

// Result codes of a transfer.
#define CCURL_OK 0
#define CCURL_UNSUPPORTED_PROTOCOL 1
#define CCURL_URL_MALFORMAT 3
#define CCURL_COULDNT_RESOLVE_PROXY 5
#define CCURL_COULDNT_RESOLVE_HOST 6
#define CCURL_COULDNT_CONNECT 7
#define CCURL_WEIRD_SERVER_REPLY 8
#define CCURL_HTTP2 16
#define CCURL_PARTIAL_FILE 18
#define CCURL_OUT_OF_MEMORY 27
#define CCURL_OPERATION_TIMEDOUT 28
#define CCURL_SSL_CONNECT_ERROR 35
#define CCURL_GOT_NOTHING 52
#define CCURL_SEND_ERROR 55
#define CCURL_RECV_ERROR 56
#define CCURL_SSL_CERTPROBLEM 58
#define CCURL_SSL_CIPHER 59
#define CCURL_PEER_FAILED_VERIFICATION 60
#define CCURL_SSL_CACERT_BADFILE 77
#define CCURL_SSL_ISSUER_ERROR 83
#define CCURL_SSL_INVALIDCERTSTATUS 91
#define CCURL_HTTP2_STREAM 92
#define CCURL_PROXY 97
#define CCURL_TOO_LARGE 100

#endif
