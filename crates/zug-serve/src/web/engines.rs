//! Engines take all the processor time they can get, and anybody may ask. So few work at once, the
//! others wait in a line, and whoever thinks for long thinks in slices and lets others in between.

use super::error::Refusal;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;

/// So many questions may wait.
const MOST_WAITING: usize = 2000;

/// See the [module](self).
pub struct Engines {
    all: usize,
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// A place in the line; leaving it (or dropping the future) gives it up.
struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Engines {
    /// So many at once.
    #[must_use]
    pub fn new(all: usize) -> Engines {
        let all = all.max(1);
        Engines { all, free: Arc::new(Semaphore::new(all)), waiting: Arc::default() }
    }

    /// All, busy, waiting.
    #[must_use]
    pub fn state(&self) -> (usize, usize, usize) {
        let busy = self.all - self.free.available_permits().min(self.all);
        (self.all, busy, self.waiting.load(Ordering::Relaxed))
    }

    /// Is somebody waiting?
    #[must_use]
    pub fn ahead(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Does work that takes a processor, when it is its turn. A panic of the work is an error.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(Refusal::busy());
        }
        let place = Waiting(Arc::clone(&self.waiting));
        let permit = Arc::clone(&self.free).acquire_owned().await;
        let permit = permit.map_err(|_| Refusal::busy())?;
        drop(place);
        let done = tokio::task::spawn_blocking(move || {
            // The permit goes with the work: a client that leaves does not free a busy engine.
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| Refusal::broken("the engine gave up on this position"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn only_so_many_work_at_once_and_all_get_their_turn() {
        let engines = Arc::new(Engines::new(2));
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut tasks = Vec::new();
        for i in 0..20 {
            let (engines, now, most) = (Arc::clone(&engines), Arc::clone(&now), Arc::clone(&most));
            tasks.push(tokio::spawn(async move {
                let work = move || {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                    now.fetch_sub(1, Ordering::SeqCst);
                    i
                };
                engines.work(work).await.unwrap()
            }));
        }
        for (i, task) in tasks.into_iter().enumerate() {
            assert_eq!(task.await.unwrap(), i);
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
        assert_eq!(engines.state(), (2, 0, 0));
    }

    #[tokio::test]
    async fn a_panic_of_the_work_is_an_error_and_frees_the_engine() {
        let engines = Engines::new(1);
        let failed = engines.work(|| panic!("on purpose")).await;
        let refusal: Result<(), Refusal> = failed;
        assert!(refusal.is_err());
        assert_eq!(engines.work(|| 7).await.unwrap(), 7);
        assert_eq!(engines.state(), (1, 0, 0));
    }
}
