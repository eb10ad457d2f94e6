"""Live play under load: real servers of our own, and clients in a process of their own."""
