// The click of a stone, made from noise: nothing to load.

let context = null;

export function click(captured) {
  try {
    context ??= new AudioContext();
    const length = captured ? 0.16 : 0.05;
    const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < data.length; i++) {
      data[i] = (Math.random() * 2 - 1) * Math.exp((-i / data.length) * (captured ? 5 : 9));
    }
    const source = context.createBufferSource();
    const filter = context.createBiquadFilter();
    filter.type = 'bandpass';
    filter.frequency.value = captured ? 900 : 1900;
    source.buffer = buffer;
    source.connect(filter).connect(context.destination);
    source.start();
  } catch {
    // Where there is no sound there is none.
  }
}
