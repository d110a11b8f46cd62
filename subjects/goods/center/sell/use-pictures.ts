import { useEffect, useRef, useState } from 'react';
import { asFailure } from '#web/lib/api/call-errors.ts';
import { pictureError } from '#web/lib/media/picture-kinds.ts';
import type { SellPicture } from './form-state.ts';
import { uploadPicture } from './picture-upload.ts';

/** Number of concurrent uploads. */
const AT_ONCE = 2;

/** A running or failed upload. */
export interface Sending {
  id: number;
  file: File;
  /** Preview during the upload. */
  preview: string;
  part: number;
  error: string | null;
}

let nextId = 1;

/** Maximum length of a file name in a message. */
const SHORT_NAME = 24;

/** Why some of these files are rejected, as one sentence; null when all are accepted. Of several files the rejected ones are named. */
export function filesProblem(files: readonly Pick<File, 'name' | 'type' | 'size'>[]): string | null {
  const rejected = files.flatMap((file) => {
    const problem = pictureError(file);
    return problem === null ? [] : [{ name: file.name, problem }];
  });
  const [first] = rejected;
  if (!first || files.length === 1) return first?.problem ?? null;
  const name = first.name.length > SHORT_NAME ? `${first.name.slice(0, SHORT_NAME)}…` : first.name;
  const others = rejected.length > 1 ? `等 ${rejected.length} 张` : '';
  return `「${name}」${others}没有添加：${first.problem}`;
}

/** The accepted files, as many as there is room for, and why others are rejected. */
function sifted(files: readonly File[], room: number, max: number): { items: Sending[]; problem: string | null } {
  const fitting = files.filter((file) => pictureError(file) === null);
  return {
    problem: fitting.length > room ? `最多 ${max} 张图片` : filesProblem(files),
    items: fitting
      .slice(0, room)
      .map((file) => ({ id: nextId++, file, preview: URL.createObjectURL(file), part: 0, error: null })),
  };
}

/** The list with a finished upload inserted in the order of selection, not of completion. */
export function inserted(
  before: readonly SellPicture[],
  picture: SellPicture,
  order: ReadonlyMap<string, number>,
): SellPicture[] {
  const mine = order.get(picture.key) ?? Number.POSITIVE_INFINITY;
  const later = before.findIndex(({ key }) => (order.get(key) ?? 0) > mine);
  return later < 0 ? [...before, picture] : [...before.slice(0, later), picture, ...before.slice(later)];
}

/** Uploads of the form: two at a time, each with progress and retry. Finished ones join the form's list. */
export function usePictures(
  room: number,
  onChange: (change: (before: readonly SellPicture[]) => readonly SellPicture[]) => void,
) {
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const queue = useRef<Sending[]>([]);
  const running = useRef(0);
  /** Order of selection of each finished upload. */
  const order = useRef(new Map<string, number>());
  const ends = useRef(new Map<number, AbortController>());

  useEffect(() => {
    const open = ends.current;
    return () => {
      for (const end of open.values()) end.abort();
    };
  }, []);

  const change = (id: number, part: Partial<Sending>) =>
    setSending((before) => before.map((item) => (item.id === id ? { ...item, ...part } : item)));

  const drop = (item: Sending) => {
    ends.current.get(item.id)?.abort();
    queue.current = queue.current.filter(({ id }) => id !== item.id);
    setSending((before) => before.filter(({ id }) => id !== item.id));
    URL.revokeObjectURL(item.preview);
  };

  const run = async (item: Sending) => {
    const end = new AbortController();
    ends.current.set(item.id, end);
    running.current += 1;
    try {
      const { key, imageUri } = await uploadPicture(item.file, (part) => change(item.id, { part }), end.signal);
      order.current.set(key, item.id);
      const picture = { key, url: `${imageUri}?w=320` };
      onChange((before) => inserted(before, picture, order.current));
      drop(item);
    } catch (thrown) {
      if (!end.signal.aborted) change(item.id, { error: asFailure(thrown).msg });
    } finally {
      running.current -= 1;
      ends.current.delete(item.id);
      next();
    }
  };

  const next = () => {
    while (running.current < AT_ONCE) {
      const item = queue.current.shift();
      if (!item) return;
      void run(item);
    }
  };

  const add = (files: readonly File[], max: number) => {
    const { items, problem: newProblem } = sifted(files, Math.max(0, room - sending.length), max);
    setProblem(newProblem);
    setSending((before) => [...before, ...items]);
    queue.current.push(...items);
    next();
  };

  const retry = (item: Sending) => {
    change(item.id, { error: null, part: 0 });
    queue.current.push({ ...item, error: null, part: 0 });
    next();
  };

  return { sending, problem, add, retry, drop };
}
