// How wide an element is, kept up to date: charts are drawn in pixels.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export function useWidth<T extends HTMLElement>(initial: number): [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(initial);
  useEffect(() => {
    if (!element.current) return;
    const watch = new ResizeObserver(([entry]) => { if (entry) setWidth(Math.max(50, entry.contentRect.width)); });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, width];
}
