#pragma once

// Everything: the scalar meaning of every value-computing PTX instruction, as pure functions, bit-exact
// with an H200. Approximations are in approximate.h, with their error bounds in approx_bounds.h.

#include "exec/numeric/approximate.h"
#include "exec/numeric/atomic.h"
#include "exec/numeric/bits.h"
#include "exec/numeric/carry.h"
#include "exec/numeric/compare.h"
#include "exec/numeric/convert_float.h"
#include "exec/numeric/convert_integer.h"
#include "exec/numeric/convert_packed.h"
#include "exec/numeric/divide.h"
#include "exec/numeric/dot_product.h"
#include "exec/numeric/float32.h"
#include "exec/numeric/float64.h"
#include "exec/numeric/half.h"
#include "exec/numeric/integer.h"
#include "exec/numeric/min_max.h"
#include "exec/numeric/packed.h"
#include "exec/numeric/permute.h"
#include "exec/numeric/sign.h"
