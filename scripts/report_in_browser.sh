#!/usr/bin/env bash
# Draw a report in headless Chromium, zoom and click in it, and fail on any error of the page.
#
#   scripts/report_in_browser.sh report.html [picture.png]
#
# Chromium must be installed (Debian: apt-get install chromium).
set -euo pipefail
report=$(realpath "$1")
picture=$(realpath -m "${2:-report.png}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A copy with a script that acts as a user would, and writes its findings into the page.
cp "$report" "$folder/report.html"
cat >>"$folder/report.html" <<'SCRIPT'
<script>
addEventListener("error", (event) => { document.body.dataset.error = event.message; });
addEventListener("unhandledrejection", (event) => { document.body.dataset.error = String(event.reason); });
function act() {
  if (document.body.dataset.drawn !== "yes") return setTimeout(act, 20);
  const canvas = document.querySelector("canvas"), box = canvas.getBoundingClientRect();
  const fire = (kind, x, y, more) => canvas.dispatchEvent(new PointerEvent(kind,
    { bubbles: true, clientX: box.left + x, clientY: box.top + y, ...more }));
  const before = canvas.toDataURL();
  fire("pointerdown", 200, 100); fire("pointerup", 600, 100);
  document.body.dataset.zoomed = canvas.toDataURL() === before ? "no" : "yes";
  for (let x = 64; x < box.width && !document.querySelector("#packet table"); x += 6)
    for (let y = 14; y < 300 && !document.querySelector("#packet table"); y += 6) {
      fire("pointerdown", x, y); fire("pointerup", x, y);
    }
  document.body.dataset.clicked = document.querySelector("#packet table") ? "yes" : "no";
}
act();
</script>
SCRIPT

browse() {
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,1500 \
        --user-data-dir="$folder/profile" --virtual-time-budget=20000 --enable-logging=stderr "$@" 2>"$folder/log"
}

browse --dump-dom "file://$folder/report.html" >"$folder/dom"
browse --screenshot="$picture" "file://$folder/report.html" >/dev/null
if grep -q 'CONSOLE' "$folder/log"; then
    grep 'CONSOLE' "$folder/log" >&2
    exit 1
fi
for done in drawn zoomed clicked; do
    if ! grep -q "data-$done=\"yes\"" "$folder/dom"; then
        echo "the page was not $done: $(grep -o '<body[^>]*>' "$folder/dom")" >&2
        exit 1
    fi
done
echo "drawn, zoomed and clicked without an error; picture: $picture"
