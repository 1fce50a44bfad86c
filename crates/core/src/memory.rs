//! Large arrays in large pages: the one place of this crate with unsafe code.
#![allow(unsafe_code)]

/// Asks the system to keep an array in huge pages, as far as it fills some. It is a wish, and
/// nothing but speed depends on it: with 10 000 flows and more, what the processor knows of where pages are
/// no longer covers the arrays that each packet touches.
pub(crate) fn prefer_huge_pages<T>(items: &Vec<T>) {
    #[cfg(all(target_os = "linux", not(miri)))]
    linux::advise(items);
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = items;
}

/// An empty array with room for so many items, in huge pages as far as it fills some.
pub fn with_room<T>(capacity: usize) -> Vec<T> {
    let items = Vec::with_capacity(capacity);
    prefer_huge_pages(&items);
    items
}

/// So many items, in huge pages as far as they fill some.
pub fn filled<T: Clone>(item: T, len: usize) -> Vec<T> {
    let mut items = with_room(len);
    items.resize(len, item);
    items
}

/// Asks the processor to fetch an item that will be needed soon, its first line of the cache, and does not wait
/// for it. Nothing but speed depends on it, and there need not be one at this place.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], place: usize) {
    prefetch_line(items.as_ptr().wrapping_add(place).cast());
}

/// The same of all lines of an item but the first.
#[inline(always)]
pub(crate) fn prefetch_rest<T>(item: &T) {
    let first = std::ptr::from_ref(item).cast::<u8>();
    for offset in (LINE..size_of::<T>()).step_by(LINE) {
        prefetch_line(first.wrapping_add(offset));
    }
}

/// The bytes of a line of the cache.
const LINE: usize = 64;

#[inline(always)]
fn prefetch_line(address: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every x86-64, and a hint: it reads nothing that a program sees,
        // and where nothing is at its address, whatever that is, nothing happens.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    /// What a huge page holds, or a multiple of it.
    const HUGE: usize = 2 << 20;
    /// Of Linux 6.1 and later; not every C library names it.
    const MADV_COLLAPSE: libc::c_int = 25;

    pub(super) fn advise<T>(items: &Vec<T>) {
        let used = size_of_val(items.as_slice());
        let reserved = size_of::<T>() * items.capacity();
        let start = items.as_ptr().cast::<u8>();
        let whole_pages = |bytes: usize| {
            let before = start.align_offset(HUGE);
            (before, bytes.saturating_sub(before) / HUGE * HUGE)
        };
        // What comes later is put into huge pages at once, what is there is moved into some.
        for (bytes, advice) in [(reserved, libc::MADV_HUGEPAGE), (used, MADV_COLLAPSE)] {
            let (before, length) = whole_pages(bytes);
            if length > 0 {
                let first = start.wrapping_add(before).cast_mut().cast();
                // SAFETY: `first` is a multiple of the size of a page, and the `length` bytes from
                // there on lie in the allocation of `items`, which is borrowed and so stays. Neither
                // advice changes what memory holds, where it is, or who may use it (madvise(2));
                // where the system knows it not, the call fails and nothing happens.
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
            assert!(items.iter().copied().eq(0..len as u64));
            items.extend(0..len as u64 / 3);
            prefer_huge_pages(&items);
            assert_eq!(items.len(), len + len / 3);
        }
    }
}
