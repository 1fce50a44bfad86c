#!/bin/sh
# Begins when all shards have ended, however they ended: it says itself what is missing.
exec {{program}} merge {{folder}} --into {{out}} --plan {{plan}}
