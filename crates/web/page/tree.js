// The game tree: nodes in columns by depth, variations in rows below the line they leave.

import { make } from './board.js';

const STEP = 22;
// Nodes further from the present one than this are not drawn: trees may have thousands.
const REACH = 120;

export class GameTree {
  constructor(host, go) {
    this.host = host;
    this.go = go;
    this.nodes = new Map();
  }

  // Nodes come as [place, place of the node before, colour, has a comment], parents first.
  set(list) {
    this.nodes = new Map();
    this.root = list[0]?.[0] ?? 0;
    const ends = [];
    for (const [id, parent, color, comment] of list) {
      const before = this.nodes.get(parent);
      const node = { id, parent, color, comment, children: [], depth: before ? before.depth + 1 : 0, row: 0 };
      before?.children.push(id);
      this.nodes.set(id, node);
    }
    // The first child goes on in its parent's row, the others take the first row that is free.
    const open = [[this.root, 0]];
    while (open.length) {
      const [id, wanted] = open.pop();
      let node = this.nodes.get(id);
      if (!node) break;
      let line = [node];
      while (node.children.length) line.push((node = this.nodes.get(node.children[0])));
      let row = wanted;
      while ((ends[row] ?? -1) >= line[0].depth - 1 && line[0].depth > 0) row++;
      for (const n of line) n.row = row;
      ends[row] = line.at(-1).depth;
      // Those that leave late are placed first, so that lines do not cross.
      for (const n of line) for (const child of n.children.slice(1).reverse()) open.push([child, row + 1]);
    }
  }

  show(here) {
    const node = this.nodes.get(here);
    if (!node) return;
    const near = [...this.nodes.values()].filter((n) => Math.abs(n.depth - node.depth) < REACH && Math.abs(n.row - node.row) < REACH);
    const width = 30 + STEP * Math.max(...near.map((n) => n.depth));
    const height = 30 + STEP * Math.max(...near.map((n) => n.row));
    const svg = make('svg', { width, height, 'aria-hidden': 'true' });
    const links = make('g', { fill: 'none', stroke: 'var(--soft)', 'stroke-width': 1.5 });
    const dots = make('g');
    const spot = (n) => [15 + STEP * n.depth, 15 + STEP * n.row];
    for (const n of near) {
      const [x, y] = spot(n);
      const parent = this.nodes.get(n.parent);
      if (parent) {
        const [px, py] = spot(parent);
        links.append(make('path', { d: `M${px} ${py}${y > py ? `V${y - STEP / 2}L${px + STEP / 2} ${y}` : ''}H${x}` }));
      }
      const fill = n.color === 'B' ? '#17181c' : n.color === 'W' ? '#faf8f2' : 'var(--accent)';
      const dot = make('circle', { cx: x, cy: y, r: n.color ? 7.5 : 5, fill, stroke: n.id === here ? 'var(--focus)' : 'var(--soft)', 'stroke-width': n.id === here ? 3.5 : 1, class: 'node' });
      dot.addEventListener('click', () => this.go(n.id));
      dots.append(dot);
      if (n.comment) dots.append(make('circle', { cx: x + 6, cy: y - 6, r: 3, fill: 'var(--bad)' }));
    }
    svg.append(links, dots);
    this.host.replaceChildren(svg);
    const [x, y] = spot(node);
    this.host.scrollTo({ left: x - this.host.clientWidth / 2, top: y - this.host.clientHeight / 2 });
  }

  // Ids from the root to a node.
  path(id) {
    const path = [];
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) path.unshift(node.id);
    return path;
  }

  // The line through a node, to its end.
  line(id) {
    const line = this.path(id);
    let node = this.nodes.get(id);
    while (node?.children.length) {
      // Whoever went back goes forth along the way they came.
      const next = node.children.includes(this.way?.get(node.id)) ? this.way.get(node.id) : node.children[0];
      line.push(next);
      node = this.nodes.get(next);
    }
    return line;
  }

  remember(id) {
    this.way ??= new Map();
    const path = this.path(id);
    for (let i = 1; i < path.length; i++) this.way.set(path[i - 1], path[i]);
  }

  // The node so many steps along the line, or the next variation.
  step(here, by) {
    const line = this.line(here);
    const at = line.indexOf(here);
    return line[Math.max(0, Math.min(line.length - 1, at + by))];
  }

  // How many nodes come after one, on all lines.
  below(id) {
    const open = [...(this.nodes.get(id)?.children ?? [])];
    for (let i = 0; i < open.length; i++) open.push(...this.nodes.get(open[i]).children);
    return open.length;
  }

  sibling(here, by) {
    const node = this.nodes.get(here);
    const siblings = this.nodes.get(node?.parent)?.children ?? [];
    return siblings[siblings.indexOf(here) + by] ?? here;
  }
}
