#!/usr/bin/env python3
"""Draws a report in headless Chromium, and acts on it as a user would, over the DevTools protocol.

Started by scripts/report_in_browser.sh. Fails on a message on the console, an exception, a request
that leaves the file, or a view that stays as it was. Prints the processor time of the browser to
the first picture, and that of redrawing after a zoom. Draws the page as it is, dark and printed:
picture.png, picture.dark.png, picture.print.png.
"""
import base64
import json
import os
import subprocess
import sys
import time

ZOOMS = 10


class Browser:
    """Chromium, spoken to over a pipe: one JSON message between zero bytes."""

    def __init__(self, program, profile):
        to_browser, ours = os.pipe()
        theirs, from_browser = None, None
        theirs, from_browser = os.pipe()
        os.set_inheritable(to_browser, True)
        os.set_inheritable(from_browser, True)

        def wire():
            # The protocol's pipes are descriptors 3 and 4; copies above keep them apart.
            one, other = os.dup2(to_browser, 203), os.dup2(from_browser, 204)
            os.dup2(one, 3)
            os.dup2(other, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--window-size=1200,1500", f"--user-data-dir={profile}",
             "--remote-debugging-pipe"],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.writes, self.reads = ours, theirs
        self.rest, self.number, self.events, self.session = b"", 0, [], None

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.reads, 1 << 20)
            if not part:
                sys.exit("Chromium ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        call = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.writes, json.dumps(call).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def seconds(self):
        """Processor time of the browser's processes so far."""
        parents, ticks = {}, {}
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry)] = int(fields[1])
            ticks[int(entry)] = sum(map(int, fields[11:15]))
        def is_ours(of):
            while of and of != self.process.pid:
                of = parents.get(of, 0)
            return of == self.process.pid
        return sum(ticks[of] for of in ticks if is_ours(of)) / os.sysconf("SC_CLK_TCK")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, x1, x2, y):
        self.mouse("mousePressed", x1, y, button="left", clickCount=1)
        self.mouse("mouseMoved", x2, y, button="left", buttons=1)
        self.mouse("mouseReleased", x2, y, button="left", clickCount=1)

    def click(self, x, y):
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def key(self, name):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=name,
                      text=name if kind == "keyDown" and len(name) == 1 else "")

    def frame(self):
        """Waits until all that is due is drawn."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def picture(self, path):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}
        shot = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))


PIXELS = "[...document.querySelectorAll('canvas')].map((of) => of.toDataURL())"
# Canvases with one colour only have nothing drawn on them.
EMPTY = """[...document.querySelectorAll('canvas')].filter((of) => {
  const data = of.getContext('2d').getImageData(0, 0, of.width, of.height).data;
  const words = new Uint32Array(data.buffer);
  return words.every((word) => word === words[0]);
}).length"""


def open_page(browser, report):
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ["Runtime", "Log", "Network", "Page"]:
        browser.call(f"{domain}.enable")
    browser.call("Emulation.setDeviceMetricsOverride", width=1200, height=1500, deviceScaleFactor=1,
                 mobile=False)
    start = browser.seconds()
    browser.call("Page.navigate", url=f"file://{report}")
    limit = time.time() + 120
    while browser.value("document.body && document.body.dataset.drawn") != "yes":
        if time.time() > limit:
            sys.exit("the page was not drawn within two minutes")
        time.sleep(0.02)
    browser.frame()
    return browser.seconds() - start


def box_of(browser, selector):
    browser.value(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
    browser.frame()
    box = browser.value(f"(() => {{ const of = document.querySelector({selector!r}).getBoundingClientRect();"
                        " return [of.left, of.top, of.width, of.height]; })()")
    return box


def zoom_and_click(browser, selector):
    """Drags, goes back by a key, and returns the processor time of a redraw."""
    left, top, width, height = box_of(browser, selector)
    middle = top + height / 2
    before = browser.value(PIXELS)
    start = browser.seconds()
    for _ in range(ZOOMS):
        browser.drag(left + width * 0.3, left + width * 0.7, middle)
        browser.frame()
    cost = (browser.seconds() - start) / ZOOMS
    if browser.value(PIXELS) == before:
        sys.exit(f"a drag on {selector} changed nothing")
    browser.value(f"document.querySelector({selector!r}).closest('[tabindex]').focus()")
    browser.key("0")
    browser.frame()
    return cost


def click_a_packet(browser):
    left, top, width, height = box_of(browser, "#charts canvas")
    points = browser.value("VIEW.samples(40)")
    if not points:
        sys.exit("no packet is drawn")
    for x, y in points:
        browser.click(left + x, top + y)
        browser.frame()
        if browser.value("document.querySelectorAll('#packet table tr').length") > 1:
            return
    sys.exit("a click on a packet showed nothing")


def operate_by_keyboard(browser):
    """Zooms and moves by keys, steps through packets, and goes back to the first picture."""
    box_of(browser, "#charts canvas")
    browser.value("VIEW.cursor = null; document.querySelector('#charts').focus()")
    browser.key("0")
    browser.frame()
    whole = before = browser.value(PIXELS)
    for name in ["+", "+", "ArrowRight", "ArrowLeft", "-"]:
        browser.key(name)
        browser.frame()
        now = browser.value(PIXELS)
        if now == before:
            sys.exit(f"the key {name} changed nothing")
        before = now
    browser.key("0")
    browser.frame()
    titles = []
    for name in ["n", "n", "p"]:
        browser.key(name)
        browser.frame()
        titles.append(browser.value("document.querySelector('#packet').textContent"))
    if not all(titles) or titles[0] != titles[2]:
        sys.exit(f"the keys n and p do not step through packets: {titles}")
    browser.value("VIEW.cursor = null; VIEW.draw()")
    if browser.value(PIXELS) != whole:
        sys.exit("the key 0 did not show the whole run again")


def looks(browser, picture):
    """Pictures of the dark page and of the printed one, whose ground is light even then."""
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    ground = "getComputedStyle(document.body).backgroundColor"
    light, drawn = browser.value(ground), browser.value(PIXELS)
    for name, media, features in [("dark", "screen", dark), ("print", "print", dark), ("", "screen", [])]:
        browser.call("Emulation.setEmulatedMedia", media=media, features=features)
        browser.frame()
        is_light = browser.value(ground) == light
        if is_light == (name == "dark"):
            sys.exit(f"the page has the wrong ground as {name or 'usual'}")
        if drawn and (browser.value(PIXELS) == drawn) == (name == "dark"):
            sys.exit(f"the charts have the wrong colours as {name or 'usual'}")
        if name:
            browser.picture(picture.removesuffix(".png") + f".{name}.png")


def read_a_point(browser):
    left, top, width, height = box_of(browser, "figure canvas")
    browser.value("document.querySelector('figure canvas').focus()")
    browser.key("ArrowRight")
    browser.frame()
    if "\u00b7" not in browser.value("document.querySelector('figure .hint').textContent"):
        sys.exit("an arrow key showed no point")


def complaints(browser):
    found = []
    for event in browser.events:
        method, of = event.get("method"), event.get("params", {})
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            found.append(json.dumps(of)[:300])
        if method == "Log.entryAdded":
            found.append(of["entry"]["text"])
        if method == "Network.requestWillBeSent":
            url = of["request"]["url"]
            if not url.startswith(("file://", "about:", "blob:", "data:")):
                found.append(f"a request to {url}")
            elif url.startswith("file://") and of.get("type") != "Document":
                found.append(f"a request for {url}")
    return found


def main():
    program, profile, report, picture = sys.argv[1:5]
    browser = Browser(program, profile)
    try:
        first = open_page(browser, report)
        empty = browser.value(EMPTY)
        charts = browser.value("document.querySelectorAll('#charts canvas').length")
        figures = browser.value("document.querySelectorAll('figure canvas').length")
        browser.picture(picture)
        done = [f"first picture {first:.2f} s of processor time"]
        if empty:
            sys.exit(f"{empty} charts are empty")
        if charts:
            done.append(f"a zoom {zoom_and_click(browser, '#charts canvas'):.3f} s")
            click_a_packet(browser)
            operate_by_keyboard(browser)
        if figures:
            done.append(f"a figure's zoom {zoom_and_click(browser, 'figure canvas'):.3f} s")
            read_a_point(browser)
        looks(browser, picture)
        found = complaints(browser)
        if found:
            sys.exit("\n".join(found))
        print(f"{charts} charts and {figures} figures drawn, zoomed and clicked without an error; "
              + ", ".join(done) + f"; picture: {picture}")
        browser.session = None
        browser.call("Browser.close")
        browser.process.wait(timeout=20)
    finally:
        browser.process.kill()
        browser.process.wait()


main()
