// A short sound for each move; off unless the settings say otherwise.

import { isOn } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

export function tick() {
  if (!isOn("sound")) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(420, now);
  tone.frequency.exponentialRampToValueAtTime(180, now + 0.05);
  volume.gain.setValueAtTime(0.2, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.08);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.09);
}
