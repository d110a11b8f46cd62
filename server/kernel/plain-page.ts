const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

interface PlainPage {
  title: string;
  text: string;
  link: { path: string; label: string };
  /** Small print below. */
  end?: string;
}

/** A page without scripts or files. */
export function plainPage({ title, text, link, end = '' }: PlainPage): string {
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;background:#f5f6f8;color:#1d2129;font:16px/1.7 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}main{max-width:30rem;margin:1.5rem;padding:2rem;background:#fff;border-radius:12px;box-shadow:0 1px 4px rgba(0,0,0,.08)}h1{margin:0 0 .75rem;font-size:1.25rem}p{margin:0 0 1rem;color:#4e5969}a{color:#0f62d6}small{color:#86909c}</style></head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p><p><a href="${link.path}">${escaped(link.label)}</a></p><small>${escaped(end)}</small></main></body></html>
`;
}
