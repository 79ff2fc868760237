#include "io/output/writer_thread.hpp"

#include <csignal>
#include <utility>

namespace swe::io {
namespace {

/// Signals are for the thread that computes: a new thread starts with the mask of its creator.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }

private:
  sigset_t old_{};
};

}  // namespace

WriterThread::WriterThread(std::size_t capacity) : capacity_(capacity) {
  SignalsBlocked const blocked;
  thread_ = std::thread([this] { work(); });
}

WriterThread::~WriterThread() {
  {
    std::lock_guard const lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void WriterThread::submit(std::function<void()> task) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return tasks_.size() < capacity_ || error_; });
  rethrow();
  tasks_.push_back(std::move(task));
  lock.unlock();
  changed_.notify_all();
}

void WriterThread::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return (tasks_.empty() && !busy_) || error_; });
  rethrow();
}

void WriterThread::rethrow() {
  if (error_) std::rethrow_exception(error_);
}

void WriterThread::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !tasks_.empty() || stopping_; });
    if (tasks_.empty()) return;
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    busy_ = true;
    lock.unlock();
    changed_.notify_all();
    std::exception_ptr error;
    try {
      task();
      task = nullptr;
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    busy_ = false;
    if (error) {
      error_ = error;
      failed_ = true;
      tasks_.clear();
    }
    lock.unlock();
    changed_.notify_all();
    lock.lock();
  }
}

}  // namespace swe::io
