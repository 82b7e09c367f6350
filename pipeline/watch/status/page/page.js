// The page of a watcher: polls /view.json and changes only what has changed, so that focus, scroll
// position and what a screen reader reads stay where they are.
import { $, clean, counted, base, timeText, durationText, roughText, megaText, bytesText, el, setText,
  setTime, setAttribute, sync, row, part, named } from '/parts.js';

const kShown = { waiting: 4, failed: 3, failedAll: 1000, stuck: 4, notTaken: 3, recent: 12 };
const kTimeout = 5000;

// ---- the secret without which the page only shows

let token = '';

function takeToken() {
  const given = /^#token=([0-9a-f]{64})$/.exec(location.hash)?.[1];
  try {
    if (given) localStorage.setItem('mezzotint-token', given);
    token = given ?? localStorage.getItem('mezzotint-token') ?? '';
  } catch {
    token = given ?? token;  // a browser that keeps nothing
  }
  // Out of sight, and of what is bookmarked.
  if (given) history.replaceState(null, '', location.pathname);
}

takeToken();
window.addEventListener('hashchange', () => { takeToken(); poll(); });

const withToken = (headers) => (token ? { ...headers, 'X-Mezzotint-Token': token } : headers);

// ---- rows

const nameCell = () => [named('name', 'bdi', 'name'), named('folder', 'bdi', 'small')];

function setName(node, name, ...more) {
  setText(part(node, 'name'), name);
  setText(part(node, 'folder'), more.filter(Boolean).join(' · '));
}

const nameOf = (job) => clean(job.name) || clean(job.id);
const jobKey = (job) => job.id || `${job.folder}\n${job.name}`;

function setNumber(node, index) {
  node.children[index].className = 'number';
}

// ---- what is shown

let view = null;
let showsAllFailed = false;
const samples = new Map();  // pixels done of running jobs: [[ms, pixels], ...] of the last 10 s

function rateOf(job, now) {
  const seen = samples.get(job.id) ?? [];
  samples.set(job.id, seen);
  if (seen.length && seen[seen.length - 1][1] > job.pixels_done) seen.length = 0;
  seen.push([now, job.pixels_done]);
  while (seen.length > 2 && now - seen[0][0] > 10000) seen.shift();
  const [t, pixels] = seen[0];
  if (now - t >= 2000) return (job.pixels_done - pixels) / (now - t) * 1000;
  return job.seconds > 0 ? job.pixels_done / job.seconds : 0;
}

// "3 sheets, 340 Mpx, 95 MiB", as far as it is known.
function sizeOf(job) {
  return [job.sheets ? counted(job.sheets, 'sheet') : '',
    job.pixels ? `${megaText(job.pixels)} Mpx` : '',
    job.bytes ? bytesText(job.bytes) : ''].filter(Boolean).join(', ');
}

function showRunning(jobs, now) {
  for (const id of samples.keys()) if (!jobs.some((job) => job.id === id)) samples.delete(id);
  let total = 0;
  sync($('running'), jobs, jobKey,
    () => row([nameCell(), [el('progress', { max: '1' }), named('text', 'span', 'small')], [named('left')]]),
    (node, job) => {
      setName(node, nameOf(job), base(job.folder), sizeOf(job));
      const bar = node.querySelector('progress');
      setAttribute(bar, 'aria-label', `Progress of ${clean(job.name)}`);
      const again = job.state === 'retrying';
      const known = job.pixels > 0;
      const share = known ? Math.min(1, job.pixels_done / job.pixels) : 0;
      if (known || again) setAttribute(bar, 'value', share.toFixed(4));
      else bar.removeAttribute('value');
      const rate = again ? 0 : rateOf(job, now);
      total += rate;
      const percent = known ? `${Math.floor(share * 100)} %` : again ? '' : 'Reading';
      const speed = rate > 0 ? `${megaText(rate)} Mpx/s` : '';
      const note = job.message ? clean(job.message) : again ? 'Will be tried again' : job.tries > 1 ? `Try ${job.tries}` : '';
      const text = part(node, 'text');
      setText(text, [percent, speed, note].filter(Boolean).join(' · ') || '\u00a0');
      text.classList.toggle('warn', Boolean(note));
      setText(part(node, 'left'), known && rate > 0 ? roughText((job.pixels - job.pixels_done) / rate) : '');
      setNumber(node, 2);
    });
  setText($('rate'), total > 0 ? `${megaText(total)} Mpx/s` : '');
}

function showWaiting(jobs, all, left) {
  const shown = jobs.slice(0, kShown.waiting);
  sync($('waiting'), shown, jobKey,
    () => row([nameCell(), [named('note', 'span', 'small warn')], [named('since')]]),
    (node, job) => {
      setName(node, nameOf(job), base(job.folder), job.bytes ? bytesText(job.bytes) : '');
      setText(part(node, 'note'), clean(job.message));
      setTime(part(node, 'since'), job.since);
      setNumber(node, 2);
    });
  setText($('more-waiting'), [all > shown.length ? `and ${all - shown.length} more` : '', left && `about ${left} left`].filter(Boolean).join(' · '));
}

function folderState(folder) {
  if (folder.trouble) return ['bad', clean(folder.trouble)];
  if (folder.paused) return ['warn', 'Paused'];
  return ['good', 'Watching'];
}

// "3 running, 2 stuck": but those that are none.
function countsOf(folder) {
  const counts = [[folder.running, 'running'], [folder.waiting, 'waiting'], [folder.arriving, 'arriving'], [folder.stuck, 'stuck'], [folder.not_taken, 'not taken']];
  return counts.filter(([n]) => n).map(([n, what]) => `${n} ${what}`).join(', ') || 'empty';
}

function showFolders(folders) {
  sync($('folders'), folders, (folder) => folder.path,
    (folder) => {
      const button = el('button', { type: 'button' });
      button.addEventListener('click', () => {
        const paused = view.folders.find((f) => f.path === folder.path)?.paused;
        ask(button, { verb: paused ? 'resume' : 'pause', folder: folder.path });
      });
      return row([[named('name', 'bdi', 'name'), named('folder', 'bdi', 'small')],
        [named('state'), named('counts', 'span', 'small')], [button]]);
    },
    (node, folder) => {
      setName(node, base(folder.path), clean(folder.path));
      const [cls, text] = folderState(folder);
      const state = part(node, 'state');
      setText(state, text);
      state.className = cls;
      setText(part(node, 'counts'), countsOf(folder));
      setButton(node.querySelector('button'), folder.paused ? 'Resume' : 'Pause', clean(folder.path));
    });
}

function showFailed(jobs) {
  const shown = jobs.slice(0, showsAllFailed ? kShown.failedAll : kShown.failed);
  sync($('failed'), shown, jobKey,
    (job) => {
      const button = el('button', { type: 'button', 'data-part': 'retry' });
      const dismiss = el('button', { type: 'button', 'data-part': 'dismiss' });
      button.addEventListener('click', () => ask(button, { verb: 'retry', job: job.id }));
      dismiss.addEventListener('click', () => ask(dismiss, { verb: 'dismiss', job: job.id }));
      return row([[...nameCell(), named('reason', 'bdi', 'reason'), named('advice', 'bdi', 'advice'),
        el('span', { class: 'where' }, named('path', 'bdi', 'path'), named('link'))], [button, dismiss]]);
    },
    (node, job) => {
      setName(node, nameOf(job), base(job.folder), timeText(job.since));
      setText(part(node, 'reason'), clean(job.message) || 'No reason was given.');
      setText(part(node, 'advice'), clean(job.advice));
      setText(part(node, 'path'), job.files?.length ? clean(job.files[0]) + (job.files.length > 1 ? ` and ${job.files.length - 1} more` : '') : '');
      setReport(part(node, 'link'), job, 'Report');
      setButton(part(node, 'retry'), 'Retry', clean(job.name));
      if (!job.can_retry || !job.id) part(node, 'retry').hidden = true;
      setButton(part(node, 'dismiss'), 'Dismiss', clean(job.name));
    });
  const more = $('more-failed');
  more.hidden = jobs.length <= kShown.failed;
  setText(more, showsAllFailed ? 'Show the newest only' : `Show all ${jobs.length}`);
}

$('more-failed').addEventListener('click', () => {
  showsAllFailed = !showsAllFailed;
  if (view) show(view);
});

const stuckKey = (one) => `${one.folder}\n${one.name}`;

function showStuck(stuck, all, now) {
  const shown = stuck.slice(0, kShown.stuck);
  sync($('stuck'), shown, stuckKey,
    () => row([nameCell(), [named('note', 'bdi', 'warn')], [named('left')]]),
    (node, one) => {
      setName(node, clean(one.name), base(one.folder), `since ${timeText(one.since)}`);
      setText(part(node, 'note'), clean(one.message).replace(/^waits for /, ''));
      setText(part(node, 'left'), one.until ? roughText(Math.max(0, one.until - now) / 1000) : '');
      setNumber(node, 2);
    });
  setText($('more-stuck'), all > shown.length ? `and ${all - shown.length} more` : '');
}

function showNotTaken(files, all) {
  const shown = files.slice(0, kShown.notTaken);
  sync($('not-taken'), shown, stuckKey,
    () => row([nameCell(), [named('note', 'bdi', 'warn')]]),
    (node, one) => {
      setName(node, clean(one.name), base(one.folder), `since ${timeText(one.since)}`);
      setText(part(node, 'note'), clean(one.message));
    });
  setText($('more-not-taken'), all > shown.length ? `and ${all - shown.length} more` : '');
}

function showDisks(disks) {
  sync($('disks'), disks, (disk) => disk.path,
    () => row([[named('name', 'bdi', 'name')], [named('text'), el('progress', { max: '1' })]]),
    (node, disk) => {
      setText(part(node, 'name'), clean(disk.path));
      const text = part(node, 'text');
      setText(text, disk.total_bytes ? `${bytesText(disk.free_bytes)} free of ${bytesText(disk.total_bytes)}` : 'not known');
      text.className = disk.missing_bytes ? 'bad' : '';
      const bar = node.querySelector('progress');
      setAttribute(bar, 'aria-label', `Used of ${clean(disk.path)}`);
      setAttribute(bar, 'value', disk.total_bytes ? (1 - disk.free_bytes / disk.total_bytes).toFixed(3) : '0');
      bar.className = disk.missing_bytes ? 'full' : '';
    });
}

// Above all else: troubles that keep jobs from going on, with the remedy.
function showAlerts(next) {
  const alerts = next.disks.filter((disk) => disk.missing_bytes).map((disk) => ({
    key: `disk ${disk.path}`,
    head: `Disk full: ${clean(disk.path)}`,
    text: `${bytesText(disk.free_bytes)} free; ${bytesText(disk.missing_bytes)} more needed for the plates of ${clean(disk.folder)}. `
      + 'Delete or move files on that disk; the waiting jobs then go on by themselves.',
  }));
  for (const folder of next.folders.filter((one) => !one.up)) {
    alerts.push({ key: `folder ${folder.path}`, head: `Not watched: ${clean(folder.path)}`, text: clean(folder.trouble) });
  }
  sync($('alerts'), alerts, (one) => one.key,
    () => el('li', {}, named('head', 'strong'), ' ', named('text', 'bdi')),
    (node, one) => {
      setText(part(node, 'head'), one.head);
      setText(part(node, 'text'), one.text);
    });
  return alerts;
}

function setReport(place, job, text) {
  if (!job.report || place.firstChild) return;
  const link = el('a', { href: `/reports/${encodeURIComponent(job.id)}`, class: 'small' }, text);
  link.append(el('span', { class: 'unseen' }, ` of ${clean(job.name)}`));
  place.append(link);
}

function inkKind(name) {
  const ink = name.toLowerCase();
  const kind = ['cyan', 'magenta', 'yellow', 'black'].find((known) => ink === known || ink === known[0]);
  return kind ?? (ink === 'k' || ink === 'grey' || ink === 'gray' ? 'black' : 'other');
}

function ink(plate) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const percent = Math.max(0, Math.min(100, plate.coverage_percent ?? 0));
  for (const [k, v] of Object.entries({ viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true', 'data-ink': inkKind(plate.ink) })) svg.setAttribute(k, v);
  for (const [k, v] of Object.entries({ width: percent, height: 4, fill: 'currentColor' })) rect.setAttribute(k, v);
  svg.append(rect);
  const amount = plate.coverage_percent == null ? '' : `${plate.coverage_percent.toFixed(1)} %`;
  return el('li', {}, el('span', {}, clean(plate.ink) || 'plate'), svg, el('span', { class: 'amount' }, amount));
}

function showRecent(jobs) {
  sync($('recent'), jobs.slice(0, kShown.recent), jobKey,
    (job) => {
      const made = el('li', {});
      const picture = el('img', { src: `/thumbnails/${encodeURIComponent(job.id)}`, alt: '', width: '200', height: '150', loading: 'lazy', decoding: 'async' });
      const button = el('button', { type: 'button' });
      button.addEventListener('click', () => ask(button, { verb: 'again', job: job.id }));
      made.append(picture, ...nameCell(), named('text', 'span', 'small'), named('note', 'bdi', 'small'), named('link'), button);
      if (job.plates.length) {
        made.append(el('ul', { class: 'inks', 'aria-label': 'Ink coverage' }, ...job.plates.slice(0, 8).map(ink)));
        if (job.plates.length > 8) made.append(el('span', { class: 'small' }, `and ${counted(job.plates.length - 8, 'plate')} more`));
      }
      return made;
    },
    (node, job) => {
      setName(node, nameOf(job), base(job.folder));
      const how = job.state === 'cancelled' ? 'cancelled' : durationText(job.seconds);
      setText(part(node, 'text'), [timeText(job.since), how].filter(Boolean).join(' · '));
      setText(part(node, 'note'), clean(job.message));
      setReport(part(node, 'link'), job, 'Report');
      const button = node.querySelector('button');
      setButton(button, 'Print again', clean(job.name));
      button.hidden = button.hidden || job.state !== 'done';
    });
}

function setButton(button, text, of) {
  button.hidden = !view.actions;
  setText(button, text);
  setAttribute(button, 'aria-label', `${text} ${of}`);
}

// Whether a section has something to show; an empty one says so, or is not there at all.
function none(id, empty) {
  const text = $(`none-${id}`);
  if (text) text.hidden = !empty;
  else $(`section-${id}`).hidden = empty;
  const table = $(id).closest('table');
  if (table) table.hidden = empty;
}

function setFigure(id, count) {
  setText($(`count-${id}`), String(count));
  $(`figure-${id}`)?.classList.toggle('some', count > 0);
}

function show(next) {
  const before = view;
  view = next;
  const failed = view.finished.filter((job) => job.state === 'failed');
  const recent = view.finished.filter((job) => job.state !== 'failed');
  const sum = (what) => view.folders.reduce((total, folder) => total + folder[what], 0);
  const waiting = Math.max(view.waiting.length, sum('waiting'));
  const stuck = Math.max(view.stuck.length, sum('stuck'));
  const notTaken = Math.max(view.not_taken.length, sum('not_taken'));
  const running = view.running.filter((job) => job.state === 'running').length;
  const left = view.seconds_left > 0 ? roughText(view.seconds_left) : '';
  const alerts = showAlerts(view);
  showFailed(failed);
  showStuck(view.stuck, stuck, view.now);
  showNotTaken(view.not_taken, notTaken);
  showRunning(view.running, view.now);
  showWaiting(view.waiting, waiting, left);
  showFolders(view.folders);
  showDisks(view.disks);
  showRecent(recent);
  none('failed', !failed.length);
  none('stuck', !view.stuck.length);
  none('not-taken', !view.not_taken.length);
  none('running', !view.running.length);
  none('waiting', !view.waiting.length);
  none('folders', !view.folders.length);
  none('disks', !view.disks.length);
  none('recent', !recent.length);
  $('columns').classList.toggle('calm', !failed.length && !view.stuck.length && !view.not_taken.length);
  setFigure('failed', view.jobs_failed);
  setFigure('stuck', stuck);
  setFigure('not-taken', notTaken);
  setFigure('running', running);
  setFigure('waiting', waiting);
  setFigure('done', view.jobs_done);
  setFigure('sheets', view.sheets_an_hour);
  setText($('left'), left && `, about ${left} left`);
  setText($('about'), `mezzotint ${view.version}. Counted since ${timeText(view.started)}.`);
  $('read-only').hidden = view.actions;

  const paused = view.folders.length > 0 && view.folders.every((folder) => folder.paused);
  const all = $('pause-all');
  all.hidden = !view.actions || !view.folders.length;
  setText(all, paused ? 'Resume all' : 'Pause all');
  const troubled = view.folders.filter((folder) => folder.trouble).length;
  if (view.stopping) setState('paused', 'The watcher is stopping');
  else if (!view.ready) setState('asking', 'The watcher is starting');
  else if (alerts.length) setState('bad', alerts[0].head);
  else if (troubled) setState('bad', `${counted(troubled, 'folder')} of ${view.folders.length} in trouble`);
  else if (paused) setState('paused', 'Everything is paused');
  else setState('good', `Watching ${counted(view.folders.length, 'folder')}`);
  const marks = [failed.length && `${view.jobs_failed} failed`, alerts.length && alerts[0].head].filter(Boolean).join(', ');
  document.title = `${marks && `(${marks}) `}${running} running, ${waiting} waiting – mezzotint`;
  document.querySelector('main').hidden = false;
  if (before) tell(before, view);
}

function setState(state, text) {
  setAttribute($('state'), 'data-state', state);
  setText($('state-text'), text);
}

// ---- what is said aloud: changes of state, and no more than once in five seconds

let unsaid = [];
let sayTimer = 0;

function say(text) {
  unsaid.push(text);
  if (sayTimer) return;
  $('said').textContent = unsaid.splice(0).join(' ');
  sayTimer = setTimeout(() => {
    sayTimer = 0;
    if (unsaid.length) say(unsaid.splice(0).slice(-5).join(' '));
  }, 5000);
}

function tell(before, now) {
  const known = new Set(before.finished.map((job) => job.id));
  const ended = now.finished.filter((job) => !known.has(job.id));
  for (const job of ended.filter((j) => j.state === 'failed').slice(0, 3)) say(`${clean(job.name)} failed: ${clean(job.message)}`);
  const done = ended.filter((job) => job.state === 'done');
  if (done.length === 1) say(`${clean(done[0].name)} is done.`);
  else if (done.length) say(`${done.length} jobs are done.`);
  for (const disk of now.disks.filter((one) => one.missing_bytes)) {
    if (!before.disks.find((one) => one.path === disk.path)?.missing_bytes) say(`Disk full: ${clean(disk.path)}.`);
  }
  for (const folder of now.folders) {
    const was = before.folders.find((f) => f.path === folder.path);
    if (was && folderState(was)[1] !== folderState(folder)[1]) say(`Folder ${base(folder.path)}: ${folderState(folder)[1]}.`);
  }
}

// ---- talking with the watcher

async function ask(button, request) {
  // Not `disabled`, which would take the focus away.
  if (button.getAttribute('aria-disabled') === 'true') return;
  button.setAttribute('aria-disabled', 'true');
  $('trouble').hidden = true;
  let message = '';
  try {
    const reply = await fetch('/request', {
      method: 'POST',
      headers: withToken({ 'Content-Type': 'application/json' }),
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(kTimeout),
    });
    if (!reply.ok) throw new Error(await reply.text());
    const answer = await reply.json();
    if (!answer.ok) message = answer.message || 'The watcher refused.';
  } catch (error) {
    message = error.name === 'TypeError' || error.name === 'TimeoutError' ? 'The watcher does not answer.' : error.message;
  }
  if (message) {
    $('trouble').textContent = `Not done: ${clean(message)}`;
    $('trouble').hidden = false;
  }
  await poll();
  button.removeAttribute('aria-disabled');
}

$('pause-all').addEventListener('click', () => {
  const paused = view.folders.every((folder) => folder.paused);
  ask($('pause-all'), { verb: paused ? 'resume' : 'pause' });
});

let timer = 0;
let polling = null;
let lastGood = 0;
let gone = false;

async function pollOnce() {
  try {
    const reply = await fetch('/view.json', { headers: withToken({}), signal: AbortSignal.timeout(kTimeout) });
    if (!reply.ok) throw new Error(reply.statusText);
    const next = await reply.json();
    if (view && next.version !== view.version) return location.reload();
    if (gone) say('The watcher answers again.');
    gone = false;
    lastGood = Date.now();
    show(next);
  } catch (error) {
    if (!gone) say('The watcher does not answer.');
    gone = true;
    const since = lastGood ? new Date(lastGood).toLocaleTimeString([], { hour12: false }) : '';
    setState('gone', since ? `The watcher has not answered since ${since}; this is from then` : 'The watcher does not answer');
  }
  document.body.classList.toggle('gone', gone);
}

// One poll at a time; who asks meanwhile waits for a new one, as the one under way may be old.
async function poll() {
  clearTimeout(timer);
  if (polling) await polling;
  polling ??= pollOnce().finally(() => { polling = null; });
  await polling;
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(poll, view?.running.length && !gone ? 1000 : 2000);
}

document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : poll()));
poll();
