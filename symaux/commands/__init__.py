"""Commands that live in modules of their own, and what all commands share; the command line itself is ``symaux.cli``."""
