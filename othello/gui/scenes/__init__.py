"""What fills the window: each scene takes commands, moves on with time and draws itself."""
