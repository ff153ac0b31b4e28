"""The running program: event loop, screens, worker threads and start."""
