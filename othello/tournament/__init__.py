"""Games without a window: schedules, running them, rankings."""
