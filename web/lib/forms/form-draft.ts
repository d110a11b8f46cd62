import { forgetValue } from '#web/router-internals/field-tracker.ts';
import { cookie } from '../session/cookies.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Values = Record<string, string>;

/** Delay after which dependent fields exist. */
const RESTORE_AGAIN_MS = 150;

/** Never stored: secrets, files, and numbers that are valid only once. */
const UNSAVED = new Set(['password', 'file', 'hidden', 'submit', 'button']);

/** Excluded from drafts: a game account's number, and consent, which must be given anew. */
const UNSAVED_NAMES = new Set(['accountNo', 'isAgreed']);

/** Personal numbers are kept in memory only: they survive an accidental click but never reach a disk (decision 625). */
const MEMORY_NAMES = new Set(['idCard', 'account']);

/** The parts of drafts that must not be stored, by draft key; lost with the document. */
const inMemory = new Map<string, Values>();

const isSaved = (field: Element): field is Field =>
  (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) &&
  field.name !== '' &&
  !UNSAVED_NAMES.has(field.name) &&
  !UNSAVED.has(field.type) &&
  field.autocomplete !== 'one-time-code';

const isChoice = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

/** The key of a field in the draft: each choice has its own. */
const nameOf = (field: Field): string => (isChoice(field) ? `${field.name}=${field.value}` : field.name);

const fieldsOf = (form: HTMLFormElement): Field[] => [...form.elements].filter(isSaved);

function read(key: string): Values {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return typeof saved === 'object' && saved !== null ? (saved as Values) : {};
  } catch {
    return {};
  }
}

/** Stores a draft, its personal numbers in memory; null deletes both. */
function write(key: string, values: Values | null): void {
  if (values === null) inMemory.delete(key);
  else inMemory.set(key, only(values, true));
  store(key, values && only(values, false));
}

/** The part of a draft that stays in memory, or the other. */
const only = (values: Values, isPersonal: boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => MEMORY_NAMES.has(name) === isPersonal));

function store(key: string, values: Values | null): void {
  try {
    if (values === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(values));
  } catch {
    // Without storage the draft is lost with the page.
  }
}

/** Fills a field as its user would, so that React's handlers run. */
function fill(field: Field, value: string): void {
  if (isChoice(field)) {
    // Of a group's buttons only the chosen one is clicked; a checkbox is also cleared again.
    if (String(field.checked) !== value && (value === 'true' || field.type === 'checkbox')) field.click();
    return;
  }
  if (field.value === value) return;
  field.value = value;
  forgetValue(field, `${value}\u0000`);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * Saves form input in the tab, per user, and restores it after a reload, an expired session or an accidental click. A field that already has
 * text is left unchanged. Returns functions that stop saving, and that delete the draft after the form was sent.
 */
export function keepDraft(form: HTMLFormElement, name: string): { stop: () => void; forget: () => void } {
  const key = `form:${cookie('userId') ?? ''}:${name}`;
  const saved = { ...read(key), ...inMemory.get(key) };
  const restore = () => {
    for (const field of fieldsOf(form)) {
      const value = saved[nameOf(field)];
      const isTyped = !isChoice(field) && !(field instanceof HTMLSelectElement) && field.value !== '';
      if (value === undefined || isTyped) continue;
      delete saved[nameOf(field)];
      fill(field, value);
    }
  };
  restore();
  // Fields that appeared because of the restored choices.
  const later = setTimeout(restore, RESTORE_AGAIN_MS);
  const save = () =>
    write(
      key,
      Object.fromEntries(
        fieldsOf(form).map((field) => [nameOf(field), isChoice(field) ? String(field.checked) : field.value]),
      ),
    );
  form.addEventListener('input', save);
  form.addEventListener('change', save);
  const stop = () => {
    clearTimeout(later);
    form.removeEventListener('input', save);
    form.removeEventListener('change', save);
  };
  return {
    stop,
    forget() {
      stop();
      write(key, null);
    },
  };
}
