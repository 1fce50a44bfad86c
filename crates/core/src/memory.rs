//! Large arrays in huge pages: the only place in this crate with unsafe code.
#![allow(unsafe_code)]

/// Advises the kernel (`madvise`) to back an array with huge pages. It affects speed only: from
/// about 10 000 flows on, the TLB no longer covers the arrays that each packet touches.
pub(crate) fn prefer_huge_pages<T>(items: &Vec<T>) {
    #[cfg(all(target_os = "linux", not(miri)))]
    linux::advise(items);
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = items;
}

/// An empty array with room for `capacity` items, in huge pages where it fills some.
pub fn with_room<T>(capacity: usize) -> Vec<T> {
    let items = Vec::with_capacity(capacity);
    prefer_huge_pages(&items);
    items
}

/// An array of `len` copies of an item, in huge pages where it fills some.
pub fn filled<T: Clone>(item: T, len: usize) -> Vec<T> {
    let mut items = with_room(len);
    items.resize(len, item);
    items
}

/// Prefetches the first cache line of an item that will be needed soon. It affects speed only;
/// `place` may lie beyond the end.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], place: usize) {
    prefetch_line(items.as_ptr().wrapping_add(place).cast());
}

/// Prefetches all cache lines of an item but the first.
#[inline(always)]
pub(crate) fn prefetch_rest<T>(item: &T) {
    let first = std::ptr::from_ref(item).cast::<u8>();
    for offset in (LINE..size_of::<T>()).step_by(LINE) {
        prefetch_line(first.wrapping_add(offset));
    }
}

/// Number of bytes in a cache line.
const LINE: usize = 64;

#[inline(always)]
fn prefetch_line(address: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every x86-64 and only a hint: it has no effect that a
        // program can observe, and none at an address that is not mapped.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    /// The size of a huge page, or a multiple of it.
    const HUGE: usize = 2 << 20;
    /// Advice known to Linux from 6.1 on; some C libraries do not name it.
    const MADV_COLLAPSE: libc::c_int = 25;

    pub(super) fn advise<T>(items: &Vec<T>) {
        let used = size_of_val(items.as_slice());
        let reserved = size_of::<T>() * items.capacity();
        let start = items.as_ptr().cast::<u8>();
        let whole_pages = |bytes: usize| {
            let before = start.align_offset(HUGE);
            (before, bytes.saturating_sub(before) / HUGE * HUGE)
        };
        // Pages reserved for later are huge from the start; those in use are collapsed.
        for (bytes, advice) in [(reserved, libc::MADV_HUGEPAGE), (used, MADV_COLLAPSE)] {
            let (before, length) = whole_pages(bytes);
            if length > 0 {
                let first = start.wrapping_add(before).cast_mut().cast();
                // SAFETY: `first` is a multiple of the page size, and the `length` bytes from there
                // on lie in the allocation of `items`, which is borrowed and so stays. Neither
                // advice changes the contents of memory, its address or its protection
                // (madvise(2)); on a kernel that does not know it, the call fails and nothing
                // happens.
                unsafe {
                    libc::madvise(first, length, advice);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_any_size_hold_what_they_held() {
        for len in [0, 1, 1000, 300_000, 2_000_000] {
            let mut items: Vec<u64> = Vec::with_capacity(len + len / 3);
            items.extend(0..len as u64);
            prefer_huge_pages(&items);
            let is_kept = items.iter().copied().eq(0..len as u64);
            assert!(is_kept, "{len} items");
            items.extend(0..len as u64 / 3);
            prefer_huge_pages(&items);
            assert_eq!(items.len(), len + len / 3);
        }
    }
}
