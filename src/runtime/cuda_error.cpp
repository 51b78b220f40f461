#include "runtime/cuda_error.h"

namespace heddle::runtime {
namespace {

CudaError of_fault(const Error& error) {
  const auto* fault = dynamic_cast<const Fault*>(&error);
  if (!fault) return CudaError::LaunchFailure;
  switch (fault->kind()) {
    case Fault::Kind::Other: break;
    case Fault::Kind::Address: return CudaError::IllegalAddress;
    case Fault::Kind::Alignment: return CudaError::MisalignedAddress;
    case Fault::Kind::Assertion: return CudaError::Assert;
  }
  return CudaError::LaunchFailure;
}

}  // namespace

CudaError cuda_error_of(const Error& error, bool cooperative) {
  switch (error.code()) {
    case ExitCode::BadProgram: return CudaError::InvalidPtx;
    case ExitCode::BadLaunch:
      return cooperative ? CudaError::CooperativeLaunchTooLarge : CudaError::LaunchOutOfResources;
    case ExitCode::Fault: return of_fault(error);
    case ExitCode::Deadlock: return CudaError::LaunchTimeout;
    case ExitCode::Refused: return CudaError::NotSupported;
    case ExitCode::Ok:
    case ExitCode::CheckFailed:
    case ExitCode::Usage:
    case ExitCode::Interrupted:
    case ExitCode::Found:
    case ExitCode::Internal:
    case ExitCode::Host: break;
  }
  return CudaError::Unknown;
}

}  // namespace heddle::runtime
