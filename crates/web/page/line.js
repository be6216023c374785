// The line to the server: asks, hears, and comes back by itself when it was cut.

import { store } from './looks.js';

export function openLine(hear, status) {
  let socket = null;
  let wait = 500;
  // Whether it is known what is on the board: a game may have to be brought back first.
  let ready = false;
  const queue = [];

  function connect() {
    const id = store.get('board', '');
    const query = id ? `?id=${encodeURIComponent(id)}` : '';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${location.host}/board${query}`);
    socket.onopen = () => { wait = 500; };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type !== 'state') return hear(message);
      store.set('board', message.board);
      const first = !ready;
      ready = true;
      if (first) status(true);
      hear(message);
      // What was asked for meanwhile comes after what was done about the board that was found.
      while (first && queue.length) socket.send(queue.shift());
    };
    socket.onclose = () => {
      ready = false;
      status(false);
      setTimeout(connect, wait);
      wait = Math.min(wait * 2, 8000);
    };
  }

  function send(data) {
    if (ready && socket.readyState === WebSocket.OPEN) socket.send(data);
    else if (queue.length < 20) queue.push(data);
  }

  connect();
  return {
    ask: (type, fields = {}) => send(JSON.stringify({ type, ...fields })),
    // Records go as they are: the server finds out which characters they are written in.
    load: (bytes) => send(bytes),
  };
}
