import { useEffect, useRef, useState } from 'react';
import {
  dropBrandDraft,
  previewBrand,
  publishBrand,
  saveBrand,
  staffBrandInfo,
} from '#subjects/distributors/contract/staff-brands.ts';
import type { Data } from '#contract/endpoint.ts';
import {
  brandContent,
  type BrandContent,
  brandFieldNames,
  changedFields,
  mergeContent,
} from '#subjects/distributors/contract/brand-content.ts';
import { call } from '#web/lib/api/api.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { brandErrors, contentErrors } from './brand-errors.ts';

export type BrandInfo = Data<typeof staffBrandInfo>;
const PREVIEW_AFTER_MS = 500;

/** `content.menus.1.url` is the form's `menus.1.url`; other paths keep their name. */
const fieldName = (path: string): string => (path.startsWith('content.') ? path.slice('content.'.length) : path);

/** The working copy of a brand: input, differences from the live version, preview, and saving. */
export function useBrandForm(info: BrandInfo) {
  const [content, setContent] = useState<BrandContent>(info.draft?.content ?? info.newestContent);
  const [base, setBase] = useState({ version: info.newest, content: info.newestContent });
  const [reason, setReason] = useState('');
  const [sent, setSent] = useState(content);
  const [notice, setNotice] = useState<string | null>(null);
  const preview = usePreview(info, base.version, content);
  const { distId } = info;

  /** Another person saved: the local changes are rebased on theirs, and nothing is lost. */
  const mergeTheirs = async (): Promise<FormErrors> => {
    const theirs = await call(staffBrandInfo, { distId }, { quiet: true });
    const merged = mergeContent(base.content, content, theirs.newestContent);
    setContent(merged.content);
    setBase({ version: theirs.newest, content: theirs.newestContent });
    const [by] = theirs.versions;
    const names = merged.conflicts.map((field) => brandFieldNames[field]).join('、');
    setNotice(
      `${by?.staffName ?? '系统'}刚保存了第 ${theirs.newest} 版，已合并到您的改动里${names ? `；两边都改了${names}，现在是您的值` : ''}。请看过后再保存。`,
    );
    return {};
  };
  const save = useMutation(saveBrand, {
    fields: fieldName,
    check: () => contentErrors(content),
    revalidates: true,
    failed: (failure) => (failure.field === 'base' ? mergeTheirs() : undefined),
    done: ({ version, live }) => {
      toast(live === version ? `第 ${version} 版已发布` : `已存为第 ${version} 版，还没有发布`, 'ok');
      setBase({ version, content });
      setReason('');
      setNotice(null);
    },
  });
  const publish = useMutation(publishBrand, {
    fields: ['reason', 'startTime'],
    revalidates: 'always',
    done: ({ version }, { startTime }) => {
      toast(startTime ? `第 ${version} 版已定时` : `第 ${version} 版已发布`, 'ok');
      // A full page load: the working copy starts from the current versions.
      window.location.reload();
      return true;
    },
  });
  const drop = useMutation(dropBrandDraft, { toasts: true, revalidates: true });
  return {
    content,
    base: base.version,
    change: (part: Partial<BrandContent>) => setContent((now) => ({ ...now, ...part })),
    errors: brandErrors(content, { content: sent, errors: save.errors }),
    changes: changedFields(info.liveContent, content),
    unsaved: changedFields(base.content, content),
    reason,
    setReason,
    notice,
    preview,
    save,
    publish,
    submit: (isPublished: boolean) => {
      setSent(content);
      return save.send({ distId, base: base.version, content, reason, publish: isPublished });
    },
    discard: async () => {
      setContent(base.content);
      setNotice(null);
      await drop.send({ distId });
    },
    /** Loads a stored version into the working copy. */
    take: (other: BrandContent) => setContent(other),
  };
}
export type BrandForm = ReturnType<typeof useBrandForm>;

/** Stores the working copy on the server some time after the last keystroke, and returns its preview URL. */
function usePreview({ distId, may }: BrandInfo, base: number, content: BrandContent) {
  const [preview, setShown] = useState<{ url: string; time: string; round: number } | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const round = useRef(0);
  useEffect(() => {
    if (!may.edit || !brandContent.safeParse(content).success) return;
    round.current += 1;
    const number = round.current;
    const timer = setTimeout(() => {
      call(previewBrand, { distId, base, content }, { quiet: true })
        .then(({ url, saveTime }) => {
          if (round.current !== number) return;
          setShown({ url, time: saveTime, round: number });
          setFailed(null);
        })
        .catch((error: unknown) => {
          if (round.current === number) setFailed(error instanceof Error ? error.message : '预览暂时打不开');
        });
    }, PREVIEW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [distId, may.edit, base, content]);
  return { shown: preview, failed };
}
