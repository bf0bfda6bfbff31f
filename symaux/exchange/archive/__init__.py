"""Store evidence as JSON, and check it again without trusting the file.

A record holds a form or a derivation with its verdict; ``recheck.py`` reads the formulas back, verifies them anew and
compares. Read ``records.py`` first.
"""

from symaux.exchange.archive.recheck import Rechecked, recheck_record
from symaux.exchange.archive.records import Record, from_json, to_json

__all__ = ["Rechecked", "Record", "from_json", "recheck_record", "to_json"]
