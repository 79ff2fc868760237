#pragma once
/// \file
/// The one thread that makes all HDF5 calls while a computation runs.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace swe::io {

/// Runs tasks in the order given. At most `capacity` tasks wait; a caller with one more waits too, so memory
/// is bounded. After the first task that throws, the rest are dropped and the exception meets the next
/// caller.
class WriterThread {
public:
  explicit WriterThread(std::size_t capacity = 2);
  WriterThread(WriterThread const&) = delete;
  WriterThread& operator=(WriterThread const&) = delete;
  /// Finishes what waits.
  ~WriterThread();

  /// Hands over a task; waits while `capacity` others are waiting. Throws what an earlier task threw.
  void submit(std::function<void()> task);
  /// Waits until nothing is left to do. Throws what a task threw.
  void drain();
  /// Whether a task has thrown; cheap enough for every step.
  [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_relaxed); }

private:
  void work();
  void rethrow();

  std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool busy_ = false, stopping_ = false;
  std::exception_ptr error_;
  std::atomic<bool> failed_ = false;
  std::thread thread_;
};

}  // namespace swe::io
