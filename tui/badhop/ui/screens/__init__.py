"""One screen a file. A screen is given what it shows, and starts at most one worker of its own."""
