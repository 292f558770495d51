#!/bin/sh
# Description: builds the documentation site with warnings as errors, opens each page in headless Chromium (browser.py), and
# runs browser.py on a page with one defect of each kind, which browser.py must report.
set -u
cd "$(dirname "$0")/../.." || exit 1
for tool in sphinx-build doxygen chromium-headless-shell; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
sh docs/build.sh || { echo "failed: docs/build.sh"; exit 1; }
python3 tests/tools/browser.py build/docs/html || exit 1
bad=build/tests/tools/site
rm -rf $bad
mkdir -p $bad
cat >$bad/bad.html <<'END'
<!doctype html><html><body><article id="a"><p style="width: 1500px">wide</p><img src="none.png" alt="none">
<a href="gone.html">gone</a><a href="bad.html#b">anchor</a><a href="bad.html#a">correct</a></article>
<script>undefinedFunction()</script></body></html>
END
cp $bad/bad.html $bad/search.html
if python3 tests/tools/browser.py $bad bad.html >$bad/out; then echo "failed: browser.py accepts $bad"; exit 1; fi
for text in 'at 400 pixels: is 1[0-9]* pixels wide' 'at 1400 pixels: is 1[0-9]* pixels wide' 'does not draw the image' \
  'gone.html: no such file' 'bad.html#b: no such anchor' 'exception: .*undefinedFunction' "search for 'ptxas' finds 0 pages"; do
  grep -q "$text" $bad/out || { echo "failed: browser.py does not report '$text':"; cat $bad/out; exit 1; }
done
grep -q 'bad.html#a:' $bad/out && { echo "failed: browser.py rejects a correct link"; exit 1; }
exit 0
