// The same library under the names that the CUDA SDK had from version 2.2 on.
#pragma once

#include "cutil.h"

#define cutilSafeCall(call) CUDA_SAFE_CALL(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL(call)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define cutilCondition(call) CUT_SAFE_CALL(call)
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define cutilDeviceInit(...) ((void)0)
#define cutilExit(...) exit(EXIT_SUCCESS)
#define cutilBankChecker(array, index) array[index]
#define cutGetMaxGflopsDeviceId() 0
