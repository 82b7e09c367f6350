// What tests in a browser share: Chromium, pages that remember what went wrong, axe, and checks.
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.BROWSER_MODULES}/`);
const { chromium } = require('playwright-core');
const axeSource = require.resolve('axe-core/axe.min.js');

export const kViews = [
  { name: 'wide, light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'wide, dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { name: 'narrow, light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'narrow, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
];

let failures = 0;

export function expect(condition, text) {
  if (condition) return;
  ++failures;
  console.error(`FAILED: ${text}`);
}

export function expectEqual(actual, expected, text) {
  const a = JSON.stringify(actual), b = JSON.stringify(expected);
  expect(a === b, `${text}: ${a}, expected ${b}`);
}

// Runs `test(browser)` and ends the process: 0 when every expectation held.
export async function main(test) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox'],
  });
  try {
    await test(browser);
  } catch (error) {
    expect(false, error.stack);
  } finally {
    await browser.close();
  }
  console.log(failures ? `${failures} failed` : 'all good');
  process.exit(failures ? 1 : 0);
}

// A page; what its console says and what it asks for is in page.errors and page.asked.
export async function newPage(browser, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.errors = [];
  page.asked = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) page.errors.push(message.text());
  });
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.on('request', (request) => page.asked.push(request.url()));
  return page;
}

// What axe finds that is serious or critical, a line each. Runs in a world of its own, so that the
// page's Content-Security-Policy stays in force for the page. Style sheets are not fetched once more,
// which pages that are files may not do.
export async function seriousFindings(page) {
  const { readFile } = await import('node:fs/promises');
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const run = (expression) => session.send('Runtime.evaluate', {
    expression, contextId: executionContextId, awaitPromise: true, returnByValue: true,
  });
  await run(await readFile(axeSource, 'utf8'));
  const { result, exceptionDetails } = await run(
    "axe.run(document, { preload: false, resultTypes: ['violations'] })");
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  if (result.value.passes.length < 10) throw new Error('axe looked at next to nothing');
  return result.value.violations
    .filter((finding) => ['serious', 'critical'].includes(finding.impact))
    .map((finding) => `${finding.id}: ${finding.nodes.map((node) => node.html).join(' | ')}`);
}

// Presses Tab until what has the focus matches `selector`; whether that came to be.
export async function tabTo(page, selector, most = 60) {
  for (let i = 0; i < most; ++i) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return true;
  }
  return false;
}

// Pixels by which the page is wider than its window.
export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

// The elements that Tab reaches from the top, until it comes round.
export async function tabStops(page, most = 200) {
  const stops = [];
  for (let i = 0; i < most; ++i) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body || element.dataset.seenByTab) return null;
      element.dataset.seenByTab = '1';
      const outline = getComputedStyle(element);
      return {
        tag: element.tagName.toLowerCase(),
        name: element.getAttribute('aria-label') ?? element.textContent.trim(),
        href: element.getAttribute('href'),
        shows_focus: outline.outlineStyle !== 'none' && parseFloat(outline.outlineWidth) > 0,
      };
    });
    if (stop === null) break;
    stops.push(stop);
  }
  return stops;
}

// Lightness of the page's background, 0 to 255.
export function background(page) {
  return page.evaluate(() => {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
    return (red + green + blue) / 3;
  });
}
