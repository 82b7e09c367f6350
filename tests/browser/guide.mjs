// The guide in a browser, opened as files, without a network.
//
// usage: guide.mjs GUIDE [SCREENSHOTS]     GUIDE is the folder that tools/guide/guide.py made
//
// With a folder for screenshots axe looks at each page in all views, which takes minutes, else in two of them.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { background, expect, expectEqual, main, newPage, overflow, seriousFindings } from './harness.mjs';

const [guide, screenshots] = process.argv.slice(2);
const pages = readdirSync(guide).filter(name => name.endsWith('.html'));
assert.ok(pages.length > 20, `${pages.length} pages`);
const address = name => pathToFileURL(join(guide, name)).href;

const kViews = [390, 1400].flatMap(width => ['light', 'dark'].map(colorScheme => ({
  name: `${width} ${colorScheme}`,
  options: { viewport: { width, height: 900 }, colorScheme, offline: true },
})));

/** Every page in one view: no errors, nothing from elsewhere, no wider than the window; with axe, accessible. */
async function look_at_all(browser, { name: view, options }, with_axe) {
  const page = await newPage(browser, options);
  for (const name of pages) {
    const where = `${name}, ${view}`;
    await page.goto(address(name));
    if (screenshots) await page.screenshot({ path: join(screenshots, `${name} ${view}.png`), fullPage: true });
    expectEqual(page.errors.splice(0), [], where);
    expectEqual(page.asked.filter(asked => !/^(file|data):/.test(asked)), [], where);
    expectEqual(await overflow(page), 0, `${where}: wider than the window`);
    if (with_axe) expectEqual(await seriousFindings(page), [], where);
    const light = await background(page);
    expect(options.colorScheme === 'dark' ? light < 64 : light > 224, `${where}: background ${light}`);
    const missing = await page.locator('img').evaluateAll(
      images => images.filter(image => image.complete && image.naturalWidth === 0).map(image => image.src));
    expectEqual(missing, [], where);
  }
  await page.context().close();
}

/**
 * Whether `shown`, a screenshot, has each dot of `picture` as a square of `zoom` equal pixels, with its corner
 * at most `most` pixels from that of the screenshot. Both are PNGs, compared on a canvas of `page`.
 */
function dot_for_dot(page, picture, shown, zoom, most) {
  return page.evaluate(async ({ picture, shown, zoom, most }) => {
    const pixels = async base64 => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [dots, screen] = [await pixels(picture), await pixels(shown)];
    const lies_at = (left, top) => {
      for (let y = 0; y < dots.height * zoom; ++y) {
        for (let x = 0; x < dots.width * zoom; ++x) {
          const dot = Math.floor(y / zoom) * dots.width + Math.floor(x / zoom);
          if (screen.data[4 * ((y + top) * screen.width + x + left)] !== dots.data[4 * dot]) return false;
        }
      }
      return true;
    };
    for (let top = 0; top <= most; ++top) {
      for (let left = 0; left <= most; ++left) {
        if (lies_at(left, top)) return true;
      }
    }
    return false;
  }, { picture: picture.toString('base64'), shown: shown.toString('base64'), zoom, most });
}

/** Each dot of the gallery, or of its first pictures, is a square of equal pixels on the screen. */
async function dots_are_exact(browser, { name: view, options }, deviceScaleFactor, most = Infinity) {
  const page = await newPage(browser, { ...options, deviceScaleFactor });
  await page.goto(address('gallery.html'));
  const canvas = await newPage(browser);  // file:// pages may not read their own pictures
  const dots = page.locator('img.dots');
  assert.ok(await dots.count() >= 30);
  for (let i = 0; i < Math.min(most, await dots.count()); ++i) {
    const src = await dots.nth(i).getAttribute('src');
    const picture = readFileSync(join(guide, src));
    await dots.nth(i).scrollIntoViewIfNeeded();
    const { x, y, width, height } = await dots.nth(i).boundingBox();
    const zoom = width * deviceScaleFactor / await dots.nth(i).evaluate(image => image.naturalWidth);
    assert.ok(Number.isInteger(zoom), `${src}, ${view}: dots of ${zoom} pixels`);
    // Chromium puts a picture at whole pixels of the screen: within one of where the page has it.
    const clip = { x: Math.floor(x) - 1, y: Math.floor(y) - 1, width: width + 3, height: height + 3 };
    assert.ok(await dot_for_dot(canvas, picture, await page.screenshot({ clip }), zoom, 3 * deviceScaleFactor),
              `${src}, ${view}: not dot for dot at ${deviceScaleFactor} pixels a px`);
  }
  await page.context().close();
  await canvas.context().close();
}

/** The search finds words, method names of two letters too, and leads to their section. */
async function search_finds(browser, { options }) {
  const page = await newPage(browser, options);
  await page.goto(address('index.html'));
  const results = page.locator('#found li');
  for (const [words, target] of [['press files', 'manifests.html#press-files'], ['am ruling', '#am-screens'],
                                 ['reserve', 'pipeline-run.html'], ['FLOYD', 'about.html']]) {
    await page.keyboard.press('/');
    await page.locator('#search').fill(words);
    const hrefs = await results.locator('a').evaluateAll(links => links.map(link => link.getAttribute('href')));
    assert.ok(hrefs.some(href => href.includes(target)), `${words}: ${hrefs}`);
    if (screenshots) await page.screenshot({ path: join(screenshots, `search ${words} ${options.viewport.width}.png`) });
    assert.deepEqual(await seriousFindings(page), [], `search for ${words}`);
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('#found').isHidden());
    await page.locator('#search').blur();
  }
  await page.locator('#search').fill('xylophone');
  assert.equal(await page.locator('#found p').first().textContent(), 'Nothing found');
  await page.locator('#search').fill('am screens');
  await page.keyboard.press('Enter');
  await page.waitForURL(/kernels\.html#am-screens$/);
  assert.ok(await page.locator('#am-screens').isVisible());
  assert.deepEqual(page.errors, []);
  await page.context().close();
}

await main(async browser => {
  const with_axe = [kViews[0], kViews[3]];
  await Promise.all(kViews.map(view => look_at_all(browser, view, screenshots || with_axe.includes(view))));
  for (const view of [kViews[0], kViews[3]]) {
    await dots_are_exact(browser, view, 1);
    await search_finds(browser, view);
  }
  await dots_are_exact(browser, kViews[0], 3, 6);
  console.log(`${pages.length} pages in ${kViews.length} views`);
});
