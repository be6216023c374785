// The win rate along a game: Black's share of the picture is dark.

import { make } from './board.js';
import { words } from './words.js';

const WIDTH = 360;
const HEIGHT = 110;

export function drawGraph(host, review, here, go) {
  if (!review || !review.total) {
    host.replaceChildren();
    return;
  }
  const svg = make('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': words.say('winRateOf', review.done, review.total) });
  const x = (i) => (WIDTH * (i + 0.5)) / review.total;
  const y = (rate) => 4 + (HEIGHT - 8) * (1 - rate);
  svg.append(make('rect', { width: WIDTH, height: HEIGHT, fill: '#f3f0e6' }));
  const places = review.positions.map(([node, rate], i) => ({ node, rate, i }));
  if (places.length) {
    const line = places.map((p) => `${x(p.i).toFixed(1)} ${y(p.rate).toFixed(1)}`).join('L');
    const first = x(0);
    const last = x(places.length - 1);
    svg.append(make('path', { d: `M${first} ${HEIGHT}L${line}L${last} ${HEIGHT}Z`, fill: '#2a2c33' }));
    svg.append(make('path', { d: `M${line}`, fill: 'none', stroke: '#b3541e', 'stroke-width': 1.8 }));
  }
  svg.append(make('line', { x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5), stroke: '#8a8a8a', 'stroke-dasharray': '4 4' }));
  for (const mistake of review.mistakes) {
    const place = places.find((p) => p.node === mistake.node);
    if (place) svg.append(make('circle', { cx: x(place.i), cy: y(place.rate), r: 4.5, fill: '#c62828', stroke: '#fff', 'stroke-width': 1.5 }));
  }
  const now = places.find((p) => p.node === here);
  if (now) svg.append(make('line', { x1: x(now.i), x2: x(now.i), y1: 0, y2: HEIGHT, stroke: '#1f5fbf', 'stroke-width': 2 }));
  svg.addEventListener('click', (event) => {
    const box = svg.getBoundingClientRect();
    const i = Math.floor(((event.clientX - box.left) / box.width) * review.total);
    if (places[i]) go(places[i].node);
  });
  host.replaceChildren(svg);
}
