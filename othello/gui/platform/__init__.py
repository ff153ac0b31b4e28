"""Services of the desktop: window, log, sound process, screen reader and the programs that open files."""
