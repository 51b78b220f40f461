// The CUDA errors that heddle itself speaks of, by their numbers, which are part of every CUDA program.
#pragma once

#include <cstdint>

namespace heddle::runtime {

enum class CudaError : uint32_t {
  Success = 0,
  InvalidValue = 1,
  MemoryAllocation = 2,
  InitializationError = 3,
  InvalidPitchValue = 12,
  InvalidSymbol = 13,
  InvalidChannelDescriptor = 20,
  InvalidMemcpyDirection = 21,
  MissingConfiguration = 52,
  InvalidDeviceFunction = 98,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidKernelImage = 200,
  InvalidContext = 201,  // of the driver API alone
  NoKernelImageForDevice = 209,
  UnsupportedLimit = 215,
  PeerAccessUnsupported = 217,
  InvalidPtx = 218,
  FileNotFound = 301,
  InvalidResourceHandle = 400,
  IllegalState = 401,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  PeerAccessNotEnabled = 705,
  Assert = 710,
  HostMemoryAlreadyRegistered = 712,
  HostMemoryNotRegistered = 713,
  MisalignedAddress = 716,
  LaunchFailure = 719,
  CooperativeLaunchTooLarge = 720,
  NotSupported = 801,
  StreamCaptureUnsupported = 900,
  StreamCaptureInvalidated = 901,
  StreamCaptureMerge = 902,
  StreamCaptureUnmatched = 903,
  StreamCaptureUnjoined = 904,
  StreamCaptureIsolation = 905,
  CapturedEvent = 907,
  GraphExecUpdateFailure = 910,
  Unknown = 999,
};

}  // namespace heddle::runtime
