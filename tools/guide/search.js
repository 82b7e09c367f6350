// The search of the guide. kSections of sections.js has [page, title, anchor, heading, text] of each section.
const form = document.querySelector('form[role=search]');
const input = document.getElementById('search');
const found = document.getElementById('found');
const kMost = 12;

const texts = kSections.map(([, title, , heading, text]) =>
  ({ title: title.toLowerCase(), heading: heading.toLowerCase(), text: text.toLowerCase() }));

/** Where `word` begins a word of `text`, or -1. */
function begins(text, word) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) return at;
  }
  return -1;
}

/** How well a section fits all words; 0 when one of them is missing. */
function score(section, words) {
  let sum = 0;
  for (const word of words) {
    const points = (begins(section.heading, word) >= 0 ? 8 : 0) + (begins(section.title, word) >= 0 ? 4 : 0) +
                   (begins(section.text, word) >= 0 ? 1 : 0);
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

/** Some words around the first hit, which is marked. */
function excerpt(index, words) {
  const text = kSections[index][4];
  const hits = words.map(word => [begins(texts[index].text, word), word.length]).filter(([at]) => at >= 0);
  const [at, length] = hits.sort((a, b) => a[0] - b[0])[0] ?? [0, 0];
  const from = at < 60 ? 0 : text.indexOf(' ', at - 50) + 1;
  const mark = document.createElement('mark');
  mark.textContent = text.slice(at, at + length);
  return [(from > 0 ? '… ' : '') + text.slice(from, at), mark, text.slice(at + length, from + 140) + ' …'];
}

function result(index, words) {
  const [page, title, anchor, heading] = kSections[index];
  const link = document.createElement('a');
  link.href = anchor ? `${page}#${anchor}` : page;
  link.textContent = heading && heading !== title ? `${title}: ${heading}` : title;
  const text = document.createElement('p');
  text.append(...excerpt(index, words));
  const item = document.createElement('li');
  item.append(link, text);
  return item;
}

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = texts.map((section, index) => [score(section, words), index])
    .filter(([points]) => words.length && points > 0)
    .sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  found.querySelector('p').textContent =
    hits.length === 0 ? 'Nothing found' : hits.length === 1 ? '1 place' : `${hits.length} places`;
  found.querySelector('ol').replaceChildren(...hits.slice(0, kMost).map(([, index]) => result(index, words)));
  found.hidden = words.length === 0;
}

function close() {
  found.hidden = true;
}

input.addEventListener('input', show);
input.addEventListener('focus', show);
form.addEventListener('submit', event => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
found.addEventListener('click', event => {
  if (event.target.closest('a')) close();
});
document.addEventListener('click', event => {
  if (!form.contains(event.target)) close();
});
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') close();
  if (event.key === '/' && !/input|textarea/i.test(document.activeElement.tagName)) {
    event.preventDefault();
    input.focus();
  }
});
form.hidden = false;

// In a narrow window the menu is closed at first.
if (window.matchMedia('(max-width: 60rem)').matches) document.querySelector('.menu details').open = false;
