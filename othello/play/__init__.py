"""One game being played: whose turn it is, the thread that thinks, the clocks. No window needed."""
