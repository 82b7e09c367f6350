// What the tests of mezzotint's pages share: a headless Chromium, and what every page must keep to.
//
// A test is a program: run(async page_of => ...) ends it with 0, 1, or 77 where Chromium or the
// packages of package.json are missing. Failures are thrown; node:assert does.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const skipped = 77;
const chromium = process.env.MEZZOTINT_CHROMIUM ?? '/usr/bin/chromium';

/** A package from the folder that `npm ci` filled, which BROWSER_MODULES names. */
function packaged(name) {
  const folder = process.env.BROWSER_MODULES ?? import.meta.dirname ?? '.';
  return createRequire(join(folder, 'package.json'))(name);
}

/**
 * Runs `test(open)`. `open(url, options)` gives a page of its own context, offline unless
 * `options.online`, with `options.width`, `height`, `dark`; page.seen has its `errors` (of console
 * and scripts) and `requests` (all but the page itself).
 */
export async function run(test) {
  let playwright;
  try {
    playwright = packaged('playwright-core');
  } catch (error) {
    console.log(`skipped: playwright-core is not installed (${error.message.split('\n')[0]})`);
    process.exit(skipped);
  }
  if (!existsSync(chromium)) {
    console.log(`skipped: there is no ${chromium}`);
    process.exit(skipped);
  }
  const browser = await playwright.chromium.launch({ executablePath: chromium, args: ['--no-sandbox'] });
  const open = async (url, { width = 1280, height = 900, dark = false, online = false } = {}) => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      offline: !online,
    });
    const page = await context.newPage();
    page.seen = { errors: [], requests: [] };
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') page.seen.errors.push(message.text());
    });
    page.on('pageerror', error => page.seen.errors.push(String(error)));
    page.on('request', request => {
      if (request.url() !== url && !request.url().startsWith('data:')) page.seen.requests.push(request.url());
    });
    await page.goto(url);
    return page;
  };
  let status = 0;
  try {
    await test(open);
  } catch (error) {
    console.error(error.stack ?? error);
    status = 1;
  } finally {
    await browser.close();
  }
  process.exit(status);
}

/** Serious and critical violations that axe-core finds, a line each. */
export async function violations(page) {
  // By the debugger: the page's own policy forbids scripts, and need not be weakened for a test.
  const { source } = packaged('axe-core');
  const found = await page.evaluate(`${source}; axe.run(document, { resultTypes: ['violations'] })`);
  return found.violations
    .filter(violation => ['serious', 'critical'].includes(violation.impact))
    .map(violation => `${violation.id}: ${violation.help}: ${violation.nodes.map(node => node.html).join(' | ')}`);
}

/** Pixels by which the page is wider than its window. */
export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The elements that Tab reaches from the top, as "a#id.class", until it comes round. */
export async function tab_stops(page, most = 200) {
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

/** Lightness of the page's background, 0 to 255. */
export function background(page) {
  return page.evaluate(() => {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
    return (red + green + blue) / 3;
  });
}
