import { ImagePlus } from 'lucide-react';
import { useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { listingImportMap, listingImportPicture } from '#subjects/listing-import/contract/listing-import.ts';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
import { compressed } from '#web/lib/media/compress-picture.ts';
import { isRedrawn, pictureError } from '#web/lib/media/picture-kinds.ts';
import { sendFile } from '#web/lib/media/upload.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { isZip, zipPictures } from '#web/lib/media/zip-pictures.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { FileDrop } from '#web/ui/forms/file-drop.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { ImportFile } from './file.ts';

const ACCEPT = 'image/jpeg,image/png,image/webp,image/gif,image/bmp,image/avif,.zip';
const FAILURES_SHOWN = 5;

interface Outcome {
  taken: number;
  /** Why a file was rejected, by its name. */
  failures: string[];
}

/** Uploads one picture for a table; returns why it was rejected, as text. */
async function sendOne(importId: number, file: File): Promise<string | null> {
  const problem = pictureError(file);
  if (problem !== null) return problem;
  try {
    const query = new URLSearchParams({ importId: String(importId), name: file.name });
    const picture = isRedrawn(file.type) ? await compressed(file) : file;
    await sendFile<Data<typeof listingImportPicture>>(listingImportPicture, `?${query}`, picture, '上传失败，请重试');
    return null;
  } catch (error) {
    if (error instanceof ApiFailure) return error.message;
    throw error;
  }
}

/** The pictures among the chosen files, archives opened. */
async function openAll(files: readonly File[], failures: string[]): Promise<File[]> {
  const pictures: File[] = [];
  for (const file of files) {
    if (!isZip(file)) pictures.push(file);
    else
      try {
        const found = await zipPictures(file);
        if (found.pictures.length === 0 && found.left.length === 0)
          failures.push(`${file.name}：里面没有 JPEG 或 PNG 图片`);
        pictures.push(...found.pictures);
        failures.push(...found.left);
      } catch (error) {
        failures.push(`${file.name}：${error instanceof Error ? error.message : ''}`);
      }
  }
  return pictures;
}

/** Uploads the pictures named in the rows of a table: several files, or archives of them. */
export function PictureUpload({ file, onTaken }: { file: ImportFile; onTaken?: () => Promise<unknown> }) {
  const { importId, pictures, missingPictures } = file;
  const [progress, setProgress] = useState('');
  const [failures, setFailures] = useState<readonly string[]>([]);
  const { busy, error, send } = useMutation(
    async (files: readonly File[]): Promise<Outcome> => {
      const failed: string[] = [];
      const all = await openAll(files, failed);
      let taken = 0;
      for (const [n, one] of all.entries()) {
        setProgress(`正在上传 ${n + 1} / ${all.length}…`);
        const problem = await sendOne(importId, one);
        if (problem === null) taken += 1;
        else failed.push(`${one.name}：${problem}`);
      }
      return { taken, failures: failed };
    },
    {
      revalidates: true,
      done: async (outcome) => {
        setFailures(outcome.failures);
        if (outcome.taken > 0) toast(`已上传 ${outcome.taken} 张图片`, 'ok');
        const [first] = outcome.failures;
        if (first !== undefined) toast(`${outcome.failures.length} 个没有上传。${first}`, 'warn');
        if (outcome.taken > 0) await onTaken?.();
      },
    },
  );
  const wanted =
    missingPictures.length > 0 ? `还缺：${missingPictures.join('、')}` : pictures > 0 ? '表里的图片都齐了' : '';
  return (
    <div className="grid gap-2">
      <FileDrop
        busy={busy}
        icon={ImagePlus}
        labels={{
          choose: '选择表里写的图片',
          busy: progress || '正在读取…',
          help: '可一次选多张 JPEG、PNG，或一个 zip；表里写网址的不用上传',
          field: '表格里的图片',
        }}
        accept={ACCEPT}
        onFiles={(files) => void send(files)}
      />
      <p className="text-13 text-ink-2" aria-live="polite">
        {pictures > 0 && `已上传 ${pictures} 张。`}
        {wanted}
      </p>
      {failures.slice(0, FAILURES_SHOWN).map((text) => (
        <FormError key={text}>{text}</FormError>
      ))}
      {failures.length > FAILURES_SHOWN && <FormError>另有 {failures.length - FAILURES_SHOWN} 张没有上传</FormError>}
      <FormError>{error}</FormError>
    </div>
  );
}

/** The same, shown next to rows with missing pictures, which are checked again after an upload. */
export function MissingPictures({ file }: { file: ImportFile }) {
  const check = useMutation(listingImportMap, { toasts: true, revalidates: true });
  return (
    <div className="border-b border-line-soft p-4">
      <PictureUpload
        file={file}
        onTaken={() => check.send({ importId: file.importId, mapping: file.mapping, defaults: file.defaults })}
      />
    </div>
  );
}
