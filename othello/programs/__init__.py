"""Programs that are no part of this one: who they are, how they are run, and what is said to them and heard of them."""
