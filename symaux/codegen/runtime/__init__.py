"""Run generated modules: functions of positions and data, forms of one law, sharding, StableHLO.

Data are checked before they reach generated code. Read ``model.py`` first, then ``form.py``.
"""
