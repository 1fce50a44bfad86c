#!/usr/bin/env bash
# Sentences that begin as no native engineer begins them: What, How, Whether, Which, Who, Of, Where.
#
#   scripts/prose.sh            fails if a file has more of them than scripts/prose.txt allows
#   scripts/prose.sh --shrink   writes lower counts back; none ever grows
#   scripts/prose.sh FILE...    prints those of these files, with their lines
#
# scripts/prose.txt lists the files that are not rewritten yet, with their counts; a file that is not
# listed may have none. Questions are fine, and so are lines of code. CONTRIBUTING has the rule.
set -euo pipefail
cd "$(dirname "$0")/.."

list=scripts/prose.txt

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

files() { git ls-files -z '*.rs' '*.md' '*.sh' '*.py' ':!CHANGELOG.md' ':!docs/reproduction.md'; }

counts() { files | sentences | cut -d: -f1 | sort | uniq -c | awk '{ print $2, $1 }'; }

case ${1:-} in
  '') ;;
  --shrink)
    counts | LC_ALL=C sort | awk '
      NR == FNR { allowed[$1] = $2; next }
      $1 in allowed { print $1, ($2 < allowed[$1] ? $2 : allowed[$1]) }' "$list" - >"$list.new"
    mv "$list.new" "$list"
    exit 0
    ;;
  *)
    printf '%s\0' "$@" | sentences
    exit 0
    ;;
esac

worse=$(counts | awk '
  NR == FNR { allowed[$1] = $2; next }
  $2 > allowed[$1] + 0 { print $1 ": " $2 " instead of at most " allowed[$1] + 0 }' "$list" -)
if [ -n "$worse" ]; then
  echo "sentences that begin with What, How, Whether, Which, Who, Of or Where (CONTRIBUTING, \"How we write\"):"
  echo "$worse"
  echo "see them with: scripts/prose.sh FILE"
  exit 1
fi
