// Draws the charts, and keeps the magnified pieces side by side. The tables need none of it.
(function () {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  // Distinct to colour-blind eyes (Okabe and Ito), and by dashes in print without colour.
  const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#000000', '#e69f00', '#56b4e9', '#7f7f7f'];
  const dashes = [{ line: [], legend: 'solid' }, { line: [8, 4], legend: 'dashed' }, { line: [2, 3], legend: 'dotted' }];
  const minus = text => text.replace('-', '\u2212');
  const printWidth = 640;
  const charts = [];

  function series(values, index) {
    return {
      label: data.names[index],
      stroke: colours[index % colours.length],
      dash: dashes[index % dashes.length].line,
      width: 1.75,
      points: { show: false },
      spanGaps: true,
      value: (chart, value) => value == null ? '' : minus(value.toFixed(2)),
    };
  }

  // A line for each halftone: `rows` is a list of [x, y] for each.
  function draw(id, rows, xLabel, yLabel, height) {
    const place = document.getElementById(id);
    if (place === null) return; // there is nothing to draw
    const joined = uPlot.join(rows.map(row => [row.map(point => point[0]), row.map(point => point[1])]));
    const axis = (label, size) => ({
      label, size, labelSize: 22, labelGap: 0, values: (c, splits) => splits.map(split => minus(String(+split.toFixed(6)))),
      font: '13px system-ui, sans-serif', labelFont: '13px system-ui, sans-serif',
      stroke: '#1a1a1a', grid: { stroke: '#e4e4e4', width: 1 }, ticks: { stroke: '#c8c8c8', width: 1 },
    });
    const chart = new uPlot({
      width: Math.max(240, place.clientWidth),
      height,
      scales: { x: { time: false } },
      axes: [axis(xLabel, 36), axis(yLabel, 50)],
      series: [{ label: xLabel, value: (c, value) => value == null ? '' : String(+value.toFixed(4)) },
               ...rows.map(series)],
      legend: { markers: { dash: (c, index) => dashes[(index + 2) % dashes.length].legend } },
      cursor: { drag: { x: true, y: false } },
    }, joined, place);
    charts.push({ chart, place, height });
  }

  function fit(width) {
    for (const { chart, place, height } of charts) {
      chart.setSize({ width: width || Math.max(240, place.clientWidth), height });
    }
  }

  draw('power', data.spectra.map(rings => rings.map(ring => [ring[0], ring[1]])),
       'cycles per pixel', 'power, dB', 300);
  draw('anisotropy', data.spectra.map(rings => rings.map(ring => [ring[0], ring[2]])),
       'cycles per pixel', 'anisotropy, dB', 220);
  draw('tones', data.tones, 'level of ink, of 255', 'got − asked, % coverage', 300);
  addEventListener('resize', () => fit(0));
  addEventListener('beforeprint', () => fit(printWidth));
  addEventListener('afterprint', () => fit(0));

  for (const group of document.querySelectorAll('[data-together]')) {
    const windows = [...group.querySelectorAll('.window')];
    const middle = box => {
      box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
      box.scrollTop = (box.scrollHeight - box.clientHeight) / 2;
    };
    windows.forEach(middle);
    addEventListener('beforeprint', () => windows.forEach(middle));
    for (const box of windows) {
      box.addEventListener('scroll', () => {
        for (const other of windows) {
          if (other === box) continue;
          other.scrollLeft = box.scrollLeft;
          other.scrollTop = box.scrollTop;
        }
      });
    }
  }
})();
