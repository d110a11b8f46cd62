/** A field of a form. */
export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What the user did before the page was hydrated (web/lib/loading/pre-hydration.ts replays it). */
interface PreHydrationQueue {
  /** Buttons and forms in click order, each once. */
  acts: Set<HTMLElement>;
  /** Fields that were filled in, and selects with the values that were selected, in order. */
  fields: Map<Field, string[]>;
  /** The page is hydrated: from now on only events in parts that are not (`[data-late]`) are queued. */
  done?: true;
}

declare global {
  interface Window {
    early?: PreHydrationQueue;
  }
}

/** The sign that a click was received; the replay ends it. Only a style outside attributes: the elements must match the server's markup when React takes over. */
function fade(element: Element): void {
  element.animate?.({ opacity: [0.5, 0.5] }, { duration: 60_000, id: 'early' });
}

/**
 * Starts to queue clicks and input. Links and GET forms work without scripts and are ignored. A link that opens a dialog first is queued like a
 * button. No other form is ever submitted by the browser itself, which would put a password into a URL. A select's value is read at `input`: that
 * event may itself trigger the hydration, which resets the select before `change` follows. The listeners stay for parts whose script comes
 * after the page's (web/lib/loading/hydrated-later.tsx).
 */
export function queueInput(): void {
  const acts = new Set<HTMLElement>();
  const fields = new Map<Field, string[]>();
  const queue: PreHydrationQueue = { acts, fields };
  window.early = queue;
  const add = (element: HTMLElement, sign: Element = element): void => {
    acts.add(element);
    fade(sign);
  };

  function onSubmit(event: SubmitEvent, form: HTMLFormElement): void {
    if (form.getAttribute('method') === 'get') return;
    event.preventDefault();
    add(form, event.submitter ?? form);
  }

  function onClick(event: Event, target: Element): void {
    const clicked = target.closest<HTMLButtonElement | HTMLAnchorElement>('button,a[aria-haspopup]');
    if (!clicked) return;
    const isLink = 'href' in clicked;
    // The form's own event follows.
    if (isLink || !clicked.form || clicked.type !== 'submit') add(clicked);
    if (isLink) event.preventDefault();
  }

  /** The select whose `input` was queued: the `change` that follows is the same choice. */
  let selected: EventTarget | null = null;
  function onInput({ type }: Event, field: Field): void {
    const values = fields.get(field) ?? [];
    fields.set(field, values);
    if (field.tagName !== 'SELECT') return;
    if (selected !== field) values.push(field.value);
    selected = type === 'input' ? field : null;
  }

  function onEvent(event: Event): void {
    const { target, type } = event;
    if (!(target instanceof Element)) return;
    if (queue.done && !target.closest('[data-late]')) return;
    if (type === 'submit') onSubmit(event as SubmitEvent, target as HTMLFormElement);
    else if (type === 'click') onClick(event, target);
    else onInput(event, target as Field);
  }
  for (const type of ['click', 'submit', 'input', 'change']) document.addEventListener(type, onEvent, true);
}
