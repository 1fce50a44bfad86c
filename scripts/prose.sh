#!/usr/bin/env bash
# Sentences that begin as no native engineer begins them: What, How, Whether, Which, Who, Of, Where.
#
#   scripts/prose.sh            prints all of them with their lines, and fails if there are any
#   scripts/prose.sh FILE...    does so for these files
#
# Questions are fine, and so are lines of code. CONTRIBUTING has the rule.
set -euo pipefail
cd "$(dirname "$0")/.."

# Prints "file:line: text" of each such sentence.
sentences() {
  xargs -0 awk '
    FNR == 1 { fenced = 0 }
    { text = $0 }
    FILENAME ~ /\.md$/ && /^ *```/ { fenced = !fenced }
    FILENAME ~ /\.md$/ && (fenced || /^    / || /^\|/) { next }
    FILENAME !~ /\.md$/ {
      if (!match(text, /^ *(\/\/[\/!]?|#) /)) next
      text = substr(text, RLENGTH + 1)
    }
    {
      sub(/^[ *-]+/, "", text)
      if (text ~ /(^|[.:] )(What|How|Whether|Which|Who|Of|Where) [a-z]/ && text !~ /\?/) {
        print FILENAME ":" FNR ": " text
      }
    }'
}

files() {
  case $# in
    0) git ls-files -z '*.rs' '*.md' '*.sh' '*.py' ':!docs/reproduction.md' ;;
    *) printf '%s\0' "$@" ;;
  esac
}

found=$(files "$@" | sentences)
[ -z "$found" ] && exit 0
echo "$found"
echo "sentences that begin with What, How, Whether, Which, Who, Of or Where (CONTRIBUTING, \"How we write\")" >&2
exit 1
