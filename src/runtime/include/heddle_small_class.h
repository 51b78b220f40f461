// The class of a small format and of its pair, for cuda_fp16.h and cuda_bf16.h: HEDDLE_TYPE, HEDDLE_RAW, HEDDLE_PAIR
// and HEDDLE_PAIR_RAW are their names, heddle_to_float(raw) and heddle_of_double(double, rounding, raw*) its format.

struct HEDDLE_RAW {
  unsigned short x;
};

struct HEDDLE_TYPE {
  HEDDLE_TYPE() = default;
  __host__ __device__ constexpr HEDDLE_TYPE(const HEDDLE_RAW& raw) : __x(raw.x) {}
  __host__ __device__ HEDDLE_TYPE(float a) { *this = rounded(a, kHeddleNearest); }
  __host__ __device__ HEDDLE_TYPE(double a) { *this = rounded(a, kHeddleNearest); }
  __host__ __device__ HEDDLE_TYPE(short a) { *this = rounded(a, kHeddleNearest); }
  __host__ __device__ HEDDLE_TYPE(unsigned short a) { *this = rounded(a, kHeddleNearest); }
  __host__ __device__ HEDDLE_TYPE(int a) { *this = rounded(a, kHeddleNearest); }
  __host__ __device__ HEDDLE_TYPE(unsigned a) { *this = rounded(a, kHeddleNearest); }
  __host__ __device__ HEDDLE_TYPE(long a) { *this = rounded((double)a, kHeddleNearest); }
  __host__ __device__ HEDDLE_TYPE(unsigned long a) { *this = rounded((double)a, kHeddleNearest); }
  __host__ __device__ HEDDLE_TYPE(long long a) { *this = rounded((double)a, kHeddleNearest); }
  __host__ __device__ HEDDLE_TYPE(unsigned long long a) { *this = rounded((double)a, kHeddleNearest); }

  __host__ __device__ operator float() const { return heddle_to_float(HEDDLE_RAW{__x}); }
  __host__ __device__ operator HEDDLE_RAW() const { return {__x}; }
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
  __host__ __device__ explicit operator double() const { return (float)*this; }
  __host__ __device__ operator signed char() const { return (signed char)(float)*this; }
  __host__ __device__ operator unsigned char() const { return (unsigned char)(float)*this; }
  __host__ __device__ operator char() const { return (char)(float)*this; }
  __host__ __device__ operator short() const { return (short)(float)*this; }
  __host__ __device__ operator unsigned short() const { return (unsigned short)(float)*this; }
  __host__ __device__ operator int() const { return (int)(float)*this; }
  __host__ __device__ operator unsigned() const { return (unsigned)(float)*this; }
  __host__ __device__ operator long() const { return (long)(float)*this; }
  __host__ __device__ operator unsigned long() const { return (unsigned long)(float)*this; }
  __host__ __device__ operator long long() const { return (long long)(float)*this; }
  __host__ __device__ operator unsigned long long() const { return (unsigned long long)(float)*this; }

  template <class T>
  __host__ __device__ HEDDLE_TYPE& operator=(T a) {
    return *this = HEDDLE_TYPE(a);
  }
  HEDDLE_TYPE(const HEDDLE_TYPE&) = default;
  HEDDLE_TYPE& operator=(const HEDDLE_TYPE&) = default;

  __host__ __device__ unsigned short bits() const { return __x; }
  static __host__ __device__ HEDDLE_TYPE of_bits(unsigned short bits) { return HEDDLE_RAW{bits}; }
  static __host__ __device__ HEDDLE_TYPE rounded(double a, HeddleRounding rounding) {
    HEDDLE_RAW raw;
    heddle_of_double(a, rounding, &raw);
    return raw;
  }
  static __host__ __device__ HEDDLE_TYPE rounded(float a, HeddleRounding rounding) {
    HEDDLE_RAW raw;
    heddle_of_float(a, rounding, &raw);
    return raw;
  }
  static __host__ __device__ HEDDLE_TYPE rounded(int a, HeddleRounding rounding) {
    return rounded((double)a, rounding);
  }
  static __host__ __device__ HEDDLE_TYPE rounded(unsigned a, HeddleRounding rounding) {
    return rounded((double)a, rounding);
  }

  unsigned short __x;
};

struct HEDDLE_PAIR_RAW {
  unsigned short x, y;
};

struct __align__(4) HEDDLE_PAIR {
  HEDDLE_PAIR() = default;
  __host__ __device__ HEDDLE_PAIR(HEDDLE_TYPE low, HEDDLE_TYPE high) : x(low), y(high) {}
  __host__ __device__ HEDDLE_PAIR(const HEDDLE_PAIR_RAW& raw)
      : x(HEDDLE_TYPE::of_bits(raw.x)), y(HEDDLE_TYPE::of_bits(raw.y)) {}
  __host__ __device__ operator HEDDLE_PAIR_RAW() const { return {x.bits(), y.bits()}; }

  HEDDLE_TYPE x, y;
};
