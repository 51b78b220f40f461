/* A kernel of a PTX file on the simulator, from C:
 *   cc run_ptx.c $(pkg-config --cflags --libs heddle) -o run_ptx && ./run_ptx scale.ptx
 */
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>

static char* contents_of(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file);
  rewind(file);
  char* text = calloc((size_t)bytes + 1, 1);
  if (text && fread(text, 1, (size_t)bytes, file) != (size_t)bytes) text[0] = 0;
  fclose(file);
  return text;
}

int main(int argc, char** argv) {
  enum { count = 1000 };
  float data[count], factor = 2.5f;
  unsigned n = count;
  for (int i = 0; i < count; ++i) data[i] = (float)i;

  char* ptx = argc > 1 ? contents_of(argv[1]) : NULL;
  if (!ptx) {
    fprintf(stderr, "usage: run_ptx scale.ptx\n");
    return 2;
  }
  heddle_argument arguments[] = {
      {HEDDLE_IN_OUT, data, sizeof data}, {HEDDLE_VALUE, &factor, sizeof factor}, {HEDDLE_VALUE, &n, sizeof n}};
  const char* options[] = {"mechanism=its", "check=race,init", NULL};
  heddle_launch launch = {ptx, "scale", {(count + 255) / 256, 1, 1}, {256, 1, 1}, 0, arguments, 3, options};

  heddle_result* result = NULL;
  int code = heddle_run(&launch, &result);
  if (code != HEDDLE_OK) fprintf(stderr, "%s\n", heddle_error(result));
  for (int i = 0; code == HEDDLE_OK && i < count; ++i)
    if (data[i] != factor * (float)i) code = 1;
  if (code == HEDDLE_OK) printf("%d numbers are right\n%s\n", count, heddle_json(result));
  heddle_release(result);
  free(ptx);
  return code;
}
