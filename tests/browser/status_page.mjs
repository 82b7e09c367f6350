// The status page in a browser, served by status_demo: status_page.mjs DEMO FOLDER [SCREENSHOTS]
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { expect, expectEqual, kViews, main, newPage, seriousFindings, tabTo } from './harness.mjs';

const kPatience = 120_000;  // ms: longer than anything takes when nothing hangs
const [demoProgram, folder, screenshots] = process.argv.slice(2);

// Starts the demo: {url, address, requests, stop}; `address` is the one with the token.
async function startDemo(scene, port = 0) {
  mkdirSync(folder, { recursive: true });
  const child = spawn(demoProgram, [folder, String(port), scene], { stdio: ['pipe', 'pipe', 'inherit'] });
  const demo = { requests: [] };
  const ended = new Promise((done) => child.once('exit', done));
  demo.stop = () => { child.stdin.end(); return ended; };
  demo.kill = () => { child.kill('SIGKILL'); return ended; };
  await new Promise((started, failed) => {
    child.once('exit', () => failed(new Error('the demo has ended')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (demo.url) demo.requests.push(JSON.parse(line));
      else { demo.address = line; demo.url = line.split('#')[0]; started(); }
    });
  });
  return demo;
}

async function open(browser, url, options) {
  const page = await newPage(browser, options);
  await page.goto(url);
  await page.waitForSelector('main:not([hidden])');
  return page;
}

// Waits until `f`, in the page, is true of `argument`; says `text` when that does not come to be.
async function until(page, f, argument, text) {
  await page.waitForFunction(f, argument, { timeout: kPatience }).catch(() => expect(false, text));
}

const text = (page, selector) => page.textContent(selector);

async function looks(browser, scene) {
  const demo = await startDemo(scene);
  for (const view of kViews) {
    const name = `${scene}, ${view.name}`;
    const page = await open(browser, demo.address, { viewport: view.viewport, colorScheme: view.colorScheme });
    await page.waitForTimeout(1200);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width <= view.viewport.width, `${name}: ${width} px wide`);
    expectEqual(await seriousFindings(page), [], `${name}: axe`);
    const dark = await page.evaluate(() => {
      const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
      return r + g + b < 384;
    });
    expectEqual(dark, view.colorScheme === 'dark', `${name}: dark`);
    if (screenshots) await page.screenshot({ path: `${screenshots}/${name.replace(/\W+/g, '-')}.png`, fullPage: true });
    expectEqual(page.errors, [], `${name}: console`);
    expect(page.asked.every((url) => url.startsWith(demo.url)), `${name}: asks elsewhere`);
    await page.context().close();
  }
  await demo.stop();
}

async function shows(browser) {
  const demo = await startDemo('busy');
  const page = await open(browser, demo.address);
  expectEqual(await text(page, '#count-running'), '3', 'running');
  expectEqual(await text(page, '#count-waiting'), '8', 'waiting');
  expectEqual(await text(page, '#count-failed'), '2', 'failed');
  expectEqual(await page.locator('#recent > li').count(), 9, 'recent');
  expect((await text(page, '#failed')).includes('ends in the middle of strip 44'), 'the reason');
  expect((await text(page, '#failed')).includes('Export the page again'), 'the next step');
  expect((await text(page, '#failed')).includes('/newspaper/failed/advert 7731.tif'), 'the file');
  expect((await text(page, '#folders')).includes('gone or not mounted'), 'the trouble');
  for (const table of await page.locator('table').all()) {
    expect(await table.locator('caption').count() === 1, 'a caption for each table');
  }
  // Pictures are there, and PNGs where the report has one.
  await page.locator('#recent > li').last().scrollIntoViewIfNeeded();
  await until(page, () => [...document.querySelectorAll('#recent img')].every((i) => i.naturalWidth > 0), null, 'thumbnails');
  expectEqual(await page.evaluate(() => document.querySelector('#recent img').naturalWidth), 192, 'a JPEG');

  // Rows are kept while numbers change.
  const marked = await page.evaluateHandle(() => document.querySelector('#running tr'));
  const before = await text(page, '#running tr [data-part=text]');
  await until(page, (old) => document.querySelector('#running tr [data-part=text]').textContent !== old, before, 'progress goes on');
  expect(await page.evaluate((row) => row === document.querySelector('#running tr'), marked), 'the row stays');
  const boxes = () => page.evaluate(() => [...document.querySelectorAll('section')].map((s) => s.getBoundingClientRect().top));
  const first = await boxes();
  await page.waitForTimeout(2200);
  expectEqual(await boxes(), first, 'nothing jumps');

  // A report is shown, and what would run in it does not.
  const report = await newPage(browser);
  await report.goto(`${demo.url}reports/done-0`);
  await report.waitForTimeout(500);
  expect((await text(report, 'h1')).includes('page 15'), 'the report');
  expectEqual(await text(report, '#ran'), '', 'a script in a report');
  expect(!report.asked.some((url) => url.endsWith('/view.json')), 'a report asks for nothing');
  await demo.stop();
}

async function keyboard(browser) {
  const demo = await startDemo('busy');
  const page = await open(browser, demo.address);
  expect(await tabTo(page, '#failed button'), 'Tab reaches Retry');
  expectEqual(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Retry advert 7731', 'name of the button');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  expectEqual(outline, 'solid', 'focus is seen');
  await page.keyboard.press('Enter');
  await until(page, () => document.querySelectorAll('#failed tr').length === 1, null, 'the job leaves the failed ones');
  expectEqual(demo.requests, [{ verb: 'retry', job: 'fail-1' }], 'the request');
  await until(page, () => document.activeElement.getAttribute('aria-label') === 'Retry obituaries', null, 'focus goes on to the next');

  // This one is refused, and that is said.
  await page.keyboard.press('Enter');
  await page.waitForSelector('#trouble:not([hidden])');
  expectEqual(await text(page, '#trouble'), 'Not done: Its file is no longer in failed/.', 'the refusal');

  // A folder, then all of them.
  await page.focus('#folders tr:first-child button');
  await page.keyboard.press('Space');
  await until(page, () => document.querySelector('#folders tr button').textContent === 'Resume', null, 'the folder is paused');
  await until(page, () => document.activeElement === document.querySelector('#folders tr button'), null, 'focus stays');
  await until(page, () => document.querySelector('#said').textContent.includes('Paused'), null, 'a pause is said aloud');
  await page.click('#pause-all');
  await until(page, () => document.querySelector('#pause-all').textContent === 'Resume all', null, 'all are paused');
  expectEqual(demo.requests.at(-1), { verb: 'pause' }, 'the request for all');
  expectEqual(page.errors, [], 'console');
  await demo.stop();
}

// Without the token the page shows everything and changes nothing.
async function readOnly(browser) {
  const demo = await startDemo('busy');
  const page = await open(browser, demo.url);
  await page.waitForSelector('#read-only:not([hidden])');
  expectEqual(await page.locator('button:visible').count(), 0, 'buttons without the token');
  expect((await text(page, '#failed')).includes('ends in the middle of strip 44'), 'the reason');
  // The address with the token, in the same tab, brings the buttons, and leaves no token in sight.
  await page.goto(demo.address);
  await until(page, () => document.querySelector('#failed button')?.checkVisibility(), null, 'buttons with the token');
  expectEqual(page.url(), demo.url, 'the address afterwards');
  await page.goto(demo.url);
  await until(page, () => document.querySelector('#failed button')?.checkVisibility(), null, 'the token is kept');
  await demo.stop();
}

// Troubles are seen first, at any width.
async function trouble(browser) {
  const demo = await startDemo('trouble');
  for (const viewport of [{ width: 1400, height: 1000 }, { width: 400, height: 800 }]) {
    const at = `${viewport.width} px`;
    const page = await open(browser, demo.address, { viewport });
    const alert = await text(page, '#alerts li');
    expect(/Disk full: \/mnt\/plates/.test(alert) && alert.includes('26.0 MiB more needed'), `the full disk, ${at}: ${alert}`);
    expectEqual(await page.getAttribute('#state', 'data-state'), 'bad', `the state, ${at}`);
    expectEqual(await text(page, '#count-failed'), '14', `failed, ${at}`);
    expectEqual(await text(page, '#count-stuck'), '2', `stuck, ${at}`);
    expectEqual(await text(page, '#count-not-taken'), '1', `not taken, ${at}`);
    expect((await text(page, '#stuck')).includes('magenta'), `the missing ink, ${at}`);
    expect((await text(page, '#not-taken')).includes('it is a PDF'), `what is not taken, ${at}`);
    const top = (selector) => page.evaluate((s) => document.querySelector(s).getBoundingClientRect().top, selector);
    for (const selector of viewport.width > 1000 ? ['#stuck tr', '#not-taken tr', '#failed tr', '#running tr', '#waiting tr', '#recent img'] : ['#stuck tr']) {
      expect(await top(selector) < viewport.height, `${selector} is in sight, ${at}`);
    }
    expect(!(await page.locator('#waiting tr').first().textContent()).includes('running'), `a job without space waits, ${at}`);
    expectEqual(await page.locator('#failed tr').count(), 3, `the newest failures, ${at}`);
    await page.click('#more-failed');
    expectEqual(await page.locator('#failed tr').count(), 14, `all failures, ${at}`);
    expectEqual(await page.locator('#failed tr').last().locator('[data-part=retry]').isVisible(), false, `no Retry where it cannot help, ${at}`);
    await page.context().close();
  }
  await demo.stop();
}

async function again(browser) {
  const demo = await startDemo('busy');
  const page = await open(browser, demo.address);
  await page.click('#recent > li button');
  await until(page, () => document.querySelector('#waiting').textContent.includes('page 15')
    || document.querySelector('#more-waiting').textContent.includes('and 5 more'), null, 'the job waits again');
  await page.click('#failed [data-part=dismiss]');
  await until(page, () => document.querySelectorAll('#failed tr').length === 1, null, 'a dismissed job leaves the list');
  expectEqual(demo.requests, [{ verb: 'again', job: 'done-0' }, { verb: 'dismiss', job: 'fail-1' }], 'the requests');
  await demo.stop();
}

async function hostile(browser) {
  const demo = await startDemo('hostile');
  const page = await open(browser, demo.url);
  await page.waitForTimeout(1500);
  expect((await page.title()).endsWith('mezzotint'), 'the title is ours');
  expectEqual(await page.locator('main script, main b, main img:not([src^="/thumbnails/"])').count(), 0, 'markup in names');
  expect((await text(page, 'main')).includes('<script>'), 'names are shown as they are');
  expect(!(await text(page, 'main')).includes('\u202e'), 'no turned lines');
  expect(!(await page.evaluate(() => [...document.querySelectorAll('a')].some((a) => a.protocol !== 'http:'))), 'no other links');
  await demo.stop();
}

async function goneAndBack(browser) {
  let demo = await startDemo('busy');
  const page = await open(browser, demo.address);
  const port = new URL(demo.url).port;
  await demo.kill();
  await page.waitForSelector('#state[data-state=gone]');
  const said = await text(page, '#state-text');
  expect(/has not answered since \d\d:\d\d:\d\d/.test(said), `it says since when: ${said}`);
  await until(page, () => document.querySelector('#said').textContent.includes('does not answer'), null, 'and aloud');
  await page.click('#pause-all');
  await page.waitForSelector('#trouble:not([hidden])');
  expectEqual(await text(page, '#trouble'), 'Not done: The watcher does not answer.', 'a button meanwhile');

  demo = await startDemo('busy', port);
  await page.waitForSelector('#state:not([data-state=gone])');
  // The new process has the same token.
  await page.click('#folders tr:nth-child(2) button');
  await until(page, () => document.querySelector('#folders tr:nth-child(2) button').textContent === 'Pause', null, 'a request to the new one');
  await demo.stop();
}

async function hidden(browser) {
  const demo = await startDemo('busy');
  const page = await open(browser, demo.address);
  const hide = (value) => page.evaluate((v) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => v });
    document.dispatchEvent(new Event('visibilitychange'));
  }, value);
  await hide(true);
  await page.waitForTimeout(1500);
  const before = page.asked.length;
  await page.waitForTimeout(3000);
  expectEqual(page.asked.length, before, 'requests of a hidden page');
  const asks = page.waitForRequest(/view\.json/, { timeout: kPatience });
  await hide(false);
  await asks.catch(() => expect(false, 'a page that is seen again asks'));
  await demo.stop();
}

// A page of another origin tries what it can.
async function foreign(browser) {
  const demo = await startDemo('busy');
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!DOCTYPE html><title>foreign</title>');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  for (const host of ['127.0.0.1', 'localhost']) {
    const page = await newPage(browser);
    await page.goto(`http://${host}:${server.address().port}/`);
    const outcome = await page.evaluate(async (url) => {
      const attempt = (path, options) => fetch(url + path, options).then((r) => (r.type === 'opaque' ? 'unread' : 'read'), () => 'refused');
      const body = '{"verb":"pause"}';
      const seen = {
        view: await attempt('view.json'),
        simple: await attempt('request', { method: 'POST', mode: 'no-cors', body }),
        json: await attempt('request', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Mezzotint-Token': 'x' }, body }),
      };
      const load = (tag, attribute, path) => new Promise((done) => {
        const element = document.createElement(tag);
        element.onload = () => done('loaded');
        element.onerror = () => done('refused');
        element[attribute] = url + path;
        document.body.append(element);
      });
      seen.image = await load('img', 'src', 'thumbnails/done-0');
      seen.script = await load('script', 'src', 'view.json');
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: `${url}request`, enctype: 'text/plain' });
      const frame = document.createElement('iframe');
      frame.name = form.target = 'f';
      document.body.append(frame, form);
      form.submit();
      await new Promise((done) => setTimeout(done, 500));
      return seen;
    }, demo.url);
    expect(['view', 'json', 'image', 'script'].every((key) => outcome[key] === 'refused'), `foreign page of ${host}: ${JSON.stringify(outcome)}`);
    expect(outcome.simple !== 'read', `foreign page of ${host} reads an answer`);
    await page.context().close();
  }
  expectEqual(demo.requests, [], 'requests of foreign pages');
  server.close();
  await demo.stop();
}

await main(async (browser) => {
  for (const scene of ['busy', 'idle', 'trouble', 'hostile']) await looks(browser, scene);
  for (const test of [shows, keyboard, readOnly, trouble, again, hostile, goneAndBack, hidden, foreign]) {
    console.log(test.name);
    await test(browser);
  }
});
