#!/bin/sh
# One shard of {{shards}} of the study {{study}}. Their number stands here and comes from no
# variable of Slurm: when one index runs again, SLURM_ARRAY_TASK_COUNT is 1.
exec {{start}} \
  --shard "$SLURM_ARRAY_TASK_ID/{{shards}}" --plan {{plan}} --jobs {{jobs}} --out {{out}}
