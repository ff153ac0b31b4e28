"""Tournaments: schedules, execution of games, ratings and reports."""
