// report.html in a browser.
//
// usage: report.mjs PROGRAM FOLDER [SCREENSHOTS]     runs a job in FOLDER, with a name that attacks
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { background, kViews, main, newPage, overflow, seriousFindings, tabStops } from './harness.mjs';

const [program, folder, screenshots] = process.argv.slice(2);

function mezzotint(...command) {
  return spawnSync(program, command, { encoding: 'utf8' });
}

/** A grey and a CMYK page, one with a hostile name, and one that is no TIFF. */
function make_report() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, ...options] of [['grey.tif', '--width', '1200', '--height', '1600'],
                                    ['colour.tif', '--colour', 'cmyk', '--width', '900', '--height', '700']]) {
    const made = mezzotint('synth', '-q', join(folder, name), ...options);
    assert.equal(made.status, 0, made.stderr);
  }
  const hostile = `"><img src=x onerror=alert(1)> &amp; 'name'.tif`;
  copyFileSync(join(folder, 'grey.tif'), join(folder, hostile));
  writeFileSync(join(folder, 'broken.tif'), 'II*\0 this is no page');
  const pages = ['grey.tif', hostile, 'broken.tif', 'colour.tif'];
  writeFileSync(join(folder, 'job.yaml'),
                'mezzotint: 1\njob: Autumn catalogue\npages:\n' +
                  pages.map((page, i) => `  - {input: ${JSON.stringify(page)}, output: {path: "plates/${i}_{ink}.tif"}}\n`).join(''));
  const ran = mezzotint('run', '-q', '--report', join(folder, 'report'), join(folder, 'job.yaml'));
  assert.equal(ran.status, 1, ran.stderr);
  return { html: join(folder, 'report', 'report.html'), json: join(folder, 'report', 'report.json'), hostile };
}

await main(async browser => {
  const { html, json, hostile } = make_report();
  const url = pathToFileURL(html).href;
  const report = JSON.parse(readFileSync(json, 'utf8'));
  assert.equal(report.outcome, 'failed');
  assert.deepEqual(report.sheets.map(sheet => sheet.outcome), ['good', 'good', 'failed', 'good']);

  const open = async options => {
    const page = await newPage(browser, { ...options, offline: true });
    await page.goto(url);
    return page;
  };
  for (const { name, ...view } of kViews) {
    const page = await open(view);
    if (screenshots) {
      await page.screenshot({ path: join(screenshots, `report ${name}.png`), fullPage: true });
    }
    assert.deepEqual(page.errors, [], name);
    assert.deepEqual(page.asked.filter(asked => asked !== url && !asked.startsWith('data:')), [], name);
    assert.deepEqual(await seriousFindings(page), [], name);
    assert.equal(await overflow(page), 0, name);
    const light = await background(page);
    assert.ok(view.colorScheme === 'dark' ? light < 64 : light > 224, `${name}: background ${light}`);
    await page.context().close();
  }

  const page = await open({});
  // What failed comes before anything that did not, and says what to do.
  const headings = await page.locator('h2').allTextContents();
  assert.ok(headings.indexOf('What went wrong') < headings.indexOf('Sheets'), headings.join());
  assert.match(await page.locator('.failure').first().textContent(), /broken\.tif[^]*What to do/);
  // A hostile name is text.
  assert.equal(await page.locator('#overview tbody th').nth(1).textContent(), hostile);
  assert.equal(await page.locator('img[src="x"], [onerror]').count(), 0);
  // Pictures: three of each good sheet, loaded, at their own size, described.
  const pictures = await page.locator('img').evaluateAll(images => images.map(image => ({
    loaded: image.complete && image.naturalWidth === image.width && image.naturalHeight === image.height,
    alt: image.alt,
  })));
  assert.equal(pictures.length, 9);
  for (const { loaded, alt } of pictures) assert.ok(loaded && alt.length > 10, alt);
  // Every sheet was at work at some time.
  assert.equal(await page.locator('.tracks li').count(), 4);
  assert.ok(await page.locator('.tracks rect').count() >= 9);
  // The keyboard reaches each sheet's link and each box that scrolls, visibly.
  const stops = await tabStops(page);
  assert.equal(stops.filter(stop => stop.href?.startsWith('#s')).length, 4);
  assert.deepEqual(stops.filter(stop => !stop.shows_focus), []);
  await page.locator('#overview a').last().focus();
  await page.keyboard.press('Enter');
  assert.match(page.url(), /#s4$/);
  assert.ok(await page.locator('#s4').isVisible());
  // In print nothing is cut off at the side.
  await page.emulateMedia({ media: 'print' });
  assert.equal(await background(page), 255);
});
