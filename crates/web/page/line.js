// The line to the server: asks, hears, and comes back by itself when it was cut.

const KEY = 'harie.board';

export function openLine(hear, status) {
  let socket = null;
  let wait = 500;
  const queue = [];

  function connect() {
    const id = localStorage.getItem(KEY);
    const query = id ? `?id=${encodeURIComponent(id)}` : '';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(`${scheme}://${location.host}/board${query}`);
    socket.onopen = () => {
      wait = 500;
      status(true);
      while (queue.length) socket.send(queue.shift());
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === 'state') localStorage.setItem(KEY, message.board);
      hear(message);
    };
    socket.onclose = () => {
      status(false);
      setTimeout(connect, wait);
      wait = Math.min(wait * 2, 8000);
    };
  }

  function send(data) {
    if (socket && socket.readyState === WebSocket.OPEN) socket.send(data);
    else if (queue.length < 20) queue.push(data);
  }

  connect();
  return {
    ask: (type, fields = {}) => send(JSON.stringify({ type, ...fields })),
    // Records go as they are: the server finds out which characters they are written in.
    load: (bytes) => send(bytes),
  };
}
