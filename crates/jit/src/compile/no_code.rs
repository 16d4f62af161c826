//! Memory that cannot be made executable, as on machines that forbid it.

use std::io;

use cranelift_jit::{BranchProtection, JITMemoryKind, JITMemoryProvider, SystemMemoryProvider};
use cranelift_module::{ModuleError, ModuleResult};

/// Gives memory, and refuses to make it executable.
pub(super) struct Refusing {
    memory: SystemMemoryProvider,
}

impl Default for Refusing {
    fn default() -> Refusing {
        Refusing { memory: SystemMemoryProvider::new() }
    }
}

impl JITMemoryProvider for Refusing {
    fn allocate(&mut self, size: usize, align: u64, kind: JITMemoryKind) -> io::Result<*mut u8> {
        self.memory.allocate(size, align, kind)
    }

    unsafe fn free_memory(&mut self) {
        // SAFETY: the caller has made sure that nothing points there any more.
        unsafe { self.memory.free_memory() };
    }

    fn finalize(&mut self, _: BranchProtection) -> ModuleResult<()> {
        Err(ModuleError::Allocation { err: io::ErrorKind::PermissionDenied.into() })
    }
}
