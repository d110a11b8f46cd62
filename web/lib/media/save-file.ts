/** Downloads a file under a name. If no file can be saved, parts/wechat/in-wechat.lazy.tsx prevents the event `save-file` and explains why. */
export function saveFile(name: string, file: Blob): void {
  if (!document.dispatchEvent(new Event('save-file', { cancelable: true }))) return;
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads a text as a file of that name. */
export function saveText(name: string, text: string, type = 'text/csv'): void {
  saveFile(name, new Blob([text], { type: `${type};charset=utf-8` }));
}
