from pathlib import Path
def write(out, records): pass
