// A short click for each move, made on the spot; nothing is loaded.
import { sound } from './settings';

let audio: AudioContext | null = null;

export function click(kind: 'move' | 'end'): void {
  if (!sound.value) return;
  audio ??= new AudioContext();
  const start = audio.currentTime;
  for (const [pitch, delay] of kind === 'move' ? [[420, 0]] : [[420, 0], [630, 0.12]]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.type = 'triangle';
    tone.frequency.value = pitch ?? 420;
    const at = start + (delay ?? 0);
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.25, at + 0.005);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.09);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.1);
  }
}
