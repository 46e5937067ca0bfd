import Dispatch
import FuzzTargets
import Glibc

/// The target that the environment names. The name `list` prints all, each with the extensions of its
/// inputs.
private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  if let target = FuzzTarget.named(name) { return target }
  for target in FuzzTarget.all {
    print(([target.name] + target.extensions).joined(separator: " "))
  }
  // LibFuzzer ends the process in a handler of its own.
  fflush(nil)
  exit(name == "list" ? 0 : 2)
}()

/// Called by libFuzzer, which has the `main` function, for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  let end = DispatchSemaphore(value: 0)
  Task.detached { [target] in
    await target.read(input)
    end.signal()
  }
  end.wait()
  return 0
}
