// Icons, drawn as strokes on 24 × 24.
const PATHS = {
  first: 'M7 5v14M18 5l-8 7 8 7',
  back: 'M15 5l-8 7 8 7',
  next: 'M9 5l8 7-8 7',
  last: 'M17 5v14M6 5l8 7-8 7',
  flip: 'M8 4v15M8 4L4.5 8M8 4l3.5 4M16 20V5M16 20l-3.5-4M16 20l3.5-4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  auto: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  mute: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
  help: 'M9 9.2a3 3 0 1 1 4.2 2.8c-.9.4-1.2 1-1.2 2M12 17.3v.2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  close: 'M6 6l12 12M18 6L6 18',
  undo: 'M8 5L4 9l4 4M4.5 9H14a5 5 0 0 1 0 10h-4',
  hint: 'M9.5 18h5M10 21h4M8.5 14.5a6 6 0 1 1 7 0c-.6.5-1 1.3-1 2h-5c0-.7-.4-1.5-1-2z',
  flag: 'M6 21V4M6 5c4-2 7 2 12 0v8c-5 2-8-2-12 0',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  share: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1.200 1.200M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1.200-1.200',
  save: 'M12 4v11M12 15l-4.500-4.500M12 15l4.500-4.500M4.500 20h15',
  load: 'M12 16V5M12 5L7.500 9.500M12 5l4.500 4.500M4.500 20h15',
  report: 'M6 3.500h8l4 4v13H6zM13.500 3.500V8H18M9 12h6M9 15.500h6',
  up: 'M12 19V5M12 5l-5 5M12 5l5 5',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13',
  chart: 'M4 20h16M4 20V5M7.500 15l3.500-4 3 2.500L19 7.500',
  search: 'M10.500 5a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11M15 15l5 5',
  dice: 'M5 5h14v14H5zM9 9v.1M15 9v.1M12 12v.1M9 15v.1M15 15v.1',
  menu: 'M12 5.500v.1M12 12v.1M12 18.500v.1',
  edit: 'M5 19l1-4L16.500 4.500l3 3L9 18zM14 7l3 3',
  stop: 'M7 7h10v10H7z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
