// A soft note when it is one's turn; silent unless asked for.

let context = null;

function remembered() {
  try {
    return localStorage.getItem("sound") === "on";
  } catch {
    return false; // storage switched off
  }
}

let on = remembered();
export const soundIsOn = () => on;

export function rememberSound(wanted) {
  on = wanted;
  try {
    localStorage.setItem("sound", wanted ? "on" : "off");
  } catch {
    // for this page only
  }
  if (wanted) chime();
}

export function chime() {
  if (!on) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  for (const [step, frequency] of [523.25, 659.25].entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, start + step * 0.14);
    volume.gain.exponentialRampToValueAtTime(0.12, start + step * 0.14 + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + step * 0.14 + 0.35);
    tone.connect(volume).connect(context.destination);
    tone.start(start + step * 0.14);
    tone.stop(start + step * 0.14 + 0.4);
  }
}
