#!/usr/bin/env python3
"""Puts the program into a wheel, as bin/pacesim of the environment that installs it.

    scripts/wheel_program.py WHEEL PROGRAM
"""

import base64
import hashlib
import os
import sys
import zipfile

wheel, program = sys.argv[1:]
name, version = os.path.basename(wheel).split("-")[:2]
record = f"{name}-{version}.dist-info/RECORD"
script = f"{name}-{version}.data/scripts/pacesim"

with open(program, "rb") as file:
    content = file.read()
digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

partial = wheel + ".partial"
with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
    for entry in old.infolist():
        data = old.read(entry)
        if entry.filename == record:
            data = f"{script},sha256={digest},{len(content)}\n".encode() + data
        new.writestr(entry, data)
    entry = zipfile.ZipInfo(script)
    entry.external_attr = 0o100755 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    new.writestr(entry, content)
os.replace(partial, wheel)
