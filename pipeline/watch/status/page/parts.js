// Texts and elements of the page. Every name is text, never markup.

export const $ = (id) => document.getElementById(id);

// ---- text

// Characters that a name could use to look like another, or to turn the line around.
export const clean = (text) =>
  String(text ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
export const counted = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;
export const base = (path) => clean(path).replace(/\/+$/, '').split('/').pop() || clean(path);

export function timeText(ms) {
  if (!ms) return '';
  const time = new Date(ms);
  const clock = time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
  if (time.toDateString() === new Date().toDateString()) return clock;
  return `${time.toLocaleDateString([], { day: 'numeric', month: 'short' })} ${clock}`;
}

export function durationText(seconds) {
  if (!Number.isFinite(seconds) || seconds < 0) return '';
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, '0')} s`;
  return `${Math.floor(s / 3600)} h ${String(Math.floor(s / 60) % 60).padStart(2, '0')} min`;
}

export function bytesText(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes, unit = 0;
  while (value >= 999.5 && unit < units.length - 1) { value /= 1024; ++unit; }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2)} ${units[unit]}`;
}

// For what is only guessed: no figures that change every second.
export function roughText(seconds) {
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 10) return 'seconds';
  if (seconds < 60) return `${Math.ceil(seconds / 10) * 10} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export function megaText(perSecond) {
  const mega = perSecond / 1e6;
  return mega === 0 ? '0' : mega < 0.095 ? '<0.1' : mega < 9.95 ? mega.toFixed(1) : Math.round(mega).toString();
}

// ---- elements

export function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// The time of day, with the date before today; the whole of it on pointing.
export function setTime(node, ms) {
  setText(node, timeText(ms));
  setAttribute(node, 'title', ms ? new Date(ms).toLocaleString() : '');
}

export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

// One child of `parent` for each item, in order; kept by key, moved only when the order changes.
export function sync(parent, items, key, make, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const keys = new Set();
  const wanted = [];
  for (const item of items) {
    const k = key(item);
    if (keys.has(k)) continue;
    keys.add(k);
    const child = old.get(k) ?? make(item);
    child.dataset.key = k;
    update(child, item);
    wanted.push(child);
  }
  let lost = -1;
  [...parent.children].forEach((child, i) => {
    if (keys.has(child.dataset.key)) return;
    if (child.contains(document.activeElement)) lost = i;
    child.remove();
  });
  wanted.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null);
  });
  if (lost < 0) return;
  // The row in focus is gone: its neighbour is next, else the heading.
  const next = parent.children[Math.min(lost, parent.children.length - 1)];
  (next?.querySelector('button, a') ?? parent.closest('section').querySelector('h2')).focus();
}

// Tables become blocks on narrow screens; the roles keep them tables for screen readers.
export function row(cells) {
  const made = el('tr', { role: 'row' });
  cells.forEach((cell, i) => {
    made.append(i === 0 ? el('th', { scope: 'row', role: 'rowheader' }, ...cell) : el('td', { role: 'cell' }, ...cell));
  });
  return made;
}

export const part = (node, name) => node.querySelector(`[data-part=${name}]`);
export const named = (name, tag = 'span', cls = '') => el(tag, cls ? { 'data-part': name, class: cls } : { 'data-part': name });
