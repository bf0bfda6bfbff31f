"""Evidence as JSON: forms, derivations and verdicts that can be stored, and checked again without trusting the file."""

from symaux.archive.recheck import Rechecked, rechecked
from symaux.archive.records import Record, from_json, to_json

__all__ = ["Rechecked", "Record", "from_json", "rechecked", "to_json"]
