"""Opens pages in headless Chromium: browser.py [--shots FOLDER] SITE [PAGE...]   default: all pages of SITE.

Reports, for each page at 400 and 1,400 pixels: errors on the console, failed requests, images that are not drawn, a page
that is wider than the window, and links to files or anchors that do not exist. The search page must find a word. Exit
status 1: a report. --shots writes a picture per page and width. Chromium is controlled through its DevTools pipe."""
import base64
import fcntl
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

WIDTHS = 400, 1400
LAYOUT = """(() => {
  const bad = [];
  const page = document.scrollingElement;
  if (page.scrollWidth > page.clientWidth) {
    const wide = [...document.querySelectorAll('article *')].find(e => e.getBoundingClientRect().right > page.clientWidth + 1
      && !e.closest('.table-wrapper, .highlight, pre'));
    bad.push('is ' + page.scrollWidth + ' pixels wide in a window of ' + page.clientWidth + ': '
      + (wide ? wide.outerHTML.slice(0, 120) : 'an element outside of the article'));
  }
  for (const i of document.images)
    if (!i.complete || !i.naturalWidth) bad.push('does not draw the image ' + i.src);
  return JSON.stringify({bad, links: [...document.links].map(a => a.href)});
})()"""


class Browser:
    """Chromium with one page. Messages are JSON texts that end with a 0 byte, on descriptors 3 and 4 of Chromium."""

    def __init__(self, folder):
        command = next((c for c in ("chromium-headless-shell", "chromium") if shutil.which(c)), None)
        requests, self.to = os.pipe()
        self.answers, answers = os.pipe()
        # numbers above 4, because 3 and 4 could be descriptors of the pipes
        requests, answers = (fcntl.fcntl(d, fcntl.F_DUPFD_CLOEXEC, 10) for d in (requests, answers))
        # --no-sandbox: the sandbox does not start for root, and all pages are from this tree
        arguments = [command, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--remote-debugging-pipe", "--user-data-dir=" + folder, "about:blank"]
        self.process = subprocess.Popen(arguments, pass_fds=(3, 4), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        preexec_fn=lambda: (os.dup2(requests, 3), os.dup2(answers, 4)))
        os.close(requests)
        os.close(answers)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def read(self):
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], 120)[0]:
                self.process.kill()
                sys.exit("failed: Chromium does not answer")
            part = os.read(self.answers, 1 << 16)
            if not part:
                sys.exit("failed: Chromium has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit("failed: %s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        """Returns the errors during the load of URL."""
        self.events = []
        self.call("Page.navigate", url=url)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.read())
        self.evaluate("1")  # later events of the load
        bad = []
        for event in self.events:
            p = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                details = p["exceptionDetails"]
                bad.append("exception: " + details.get("exception", {}).get("description", details["text"])[:300])
            elif event.get("method") == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                bad.append("console: " + json.dumps(p["args"])[:300])
            elif event.get("method") == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                bad.append("console: %s %s" % (p["entry"]["text"], p["entry"].get("url", "")))
            elif event.get("method") == "Network.loadingFailed":
                bad.append("request failed: " + p["errorText"])
        return bad

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)["result"]
        return result.get("value")

    def width(self, pixels):
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=1000, deviceScaleFactor=1, mobile=False)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def end(self):
        self.process.terminate()
        self.process.wait()


anchors = {}


def has_anchor(path, anchor):
    if path not in anchors:
        anchors[path] = set(re.findall(r'\bid="([^"]+)"', path.read_text()))
    return anchor in anchors[path]


def dead(site, link):
    """Returns why a link is dead, or None. Links to other sites are not opened."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme != "file":
        return None if parts.scheme in ("https", "http", "mailto") else "unknown scheme"
    path = pathlib.Path(urllib.parse.unquote(parts.path))
    if site not in path.parents:
        return "leaves the site"
    if not path.is_file():
        return "no such file"
    if parts.fragment and path.suffix == ".html" and not has_anchor(path, urllib.parse.unquote(parts.fragment)):
        return "no such anchor"
    return None


def main(arguments):
    shots = None
    if arguments[0] == "--shots":
        shots = pathlib.Path(arguments[1])
        shots.mkdir(parents=True, exist_ok=True)
        arguments = arguments[2:]
    site = pathlib.Path(arguments[0]).resolve()
    pages = [site / p for p in arguments[1:]] or sorted(p for p in site.rglob("*.html") if "_static" not in p.parts)
    failures, links = 0, set()
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        for page in pages:
            forward = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', page.read_text())
            if forward:
                if not (page.parent / forward.group(1)).is_file():
                    failures += 1
                    print("failed: %s leads to %s, which does not exist" % (page.relative_to(site), forward.group(1)))
                continue
            for width in WIDTHS:
                browser.width(width)
                bad = browser.open(page.as_uri())
                layout = json.loads(browser.evaluate(LAYOUT))
                for link in sorted(set(layout["links"]) - links):
                    links.add(link)
                    reason = dead(site, link)
                    bad += ["link to %s: %s" % (link, reason)] if reason else []
                for text in bad + layout["bad"]:
                    failures += 1
                    print("failed: %s at %d pixels: %s" % (page.relative_to(site), width, text))
                if shots:
                    browser.picture(shots / ("%s-%d.png" % (str(page.relative_to(site)).replace("/", "_"), width)))
        # the search runs without a server
        browser.open((site / "search.html").as_uri() + "?q=ptxas")
        found = browser.evaluate("""new Promise(done => { let n = 0; const timer = setInterval(() => {
            const found = document.querySelectorAll('#search-results li').length;
            if (found >= 3 || ++n > 600 || !document.querySelector('#search-results')) { clearInterval(timer); done(found); } }, 100); })""")
        if not found or found < 3:
            failures += 1
            print("failed: the search for 'ptxas' finds %s pages" % found)
        browser.end()
    print("pages: %d, links: %d, failures: %d" % (len(pages), len(links), failures))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
