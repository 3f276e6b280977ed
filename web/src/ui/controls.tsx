// The few controls that the whole page is made of.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icons';

interface ButtonProps {
  icon?: IconName;
  label: string;
  onClick(): void;
  /** Only the icon is shown; the label is for screen readers and the tip. */
  bare?: boolean;
  kind?: 'main' | 'plain' | 'danger';
  pressed?: boolean;
  disabled?: boolean;
  hotkey?: string;
}

export function Button({ icon, label, onClick, bare, kind = 'plain', pressed, disabled, hotkey }: ButtonProps) {
  const tip = hotkey ? `${label} (${hotkey})` : label;
  return (
    <button type="button" class={`button ${kind}${bare ? ' bare' : ''}`} onClick={onClick} disabled={disabled}
      title={bare || hotkey ? tip : undefined} aria-label={bare ? label : undefined} aria-pressed={pressed}>
      {icon && <Icon name={icon} />}
      {!bare && <span>{label}</span>}
    </button>
  );
}

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string; disabled?: boolean }[];
  onChange(value: T): void;
}

/** A choice of a few, all of them in sight. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button type="button" key={option.value} aria-pressed={option.value === value} disabled={option.disabled}
          onClick={() => onChange(option.value)}>{option.label}</button>
      ))}
    </div>
  );
}

export function Switch({ label, on, onChange }: { label: string; on: boolean; onChange(on: boolean): void }) {
  return (
    <button type="button" class="switch" role="switch" aria-checked={on} onClick={() => onChange(!on)}>
      <span class="switch-track" aria-hidden="true" /><span>{label}</span>
    </button>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChange(value: string): void;
  hideLabel?: boolean;
  disabled?: boolean;
}

export function Select({ label, value, options, onChange, hideLabel, disabled }: SelectProps) {
  return (
    <label class="field">
      <span class={hideLabel ? 'unseen' : 'field-label'}>{label}</span>
      <select aria-label={label} value={value} disabled={disabled} onChange={(e) => onChange(e.currentTarget.value)}>
        {options.map((o) => <option key={o.value} value={o.value} selected={o.value === value}>{o.label}</option>)}
      </select>
    </label>
  );
}

interface CardProps {
  title?: string;
  tools?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

export function Card({ title, tools, children, class: name }: CardProps) {
  return (
    <section class={`card ${name ?? ''}`}>
      {(title || tools) && <header class="card-head">{title && <h2>{title}</h2>}<div class="card-tools">{tools}</div></header>}
      {children}
    </section>
  );
}

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
}

/** A window over the page; the browser keeps the focus inside and closes it on Escape. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} class="dialog" aria-label={title} onClose={onClose}
      onClick={(e) => { if (e.target === element.current) onClose(); }}>
      <div class="dialog-body">
        <header class="card-head"><h2>{title}</h2><Button bare icon="close" label="Close" onClick={onClose} /></header>
        {children}
      </div>
    </dialog>
  );
}

/** Text for when there is nothing to show, and what to do about it. */
export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}
