import { describe, expect, it } from 'vitest';
import { fileOfDataUrl, pastedImages } from './paste.ts';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

function clipboard(content: { text?: string; html?: string; files?: File[] }) {
  return {
    files: (content.files ?? []) as unknown as FileList,
    getData: (type: string) => (type === 'text/html' ? (content.html ?? '') : (content.text ?? '')),
  };
}

describe('a paste', () => {
  it('of files yields the pictures among them', () => {
    const png = new File(['x'], 'a.png', { type: 'image/png' });
    const txt = new File(['x'], 'a.txt', { type: 'text/plain' });
    expect(pastedImages(clipboard({ files: [txt, png] }))).toEqual({ files: [png], links: [] });
  });

  it('of a data URL becomes a file with a random name', async () => {
    const { files } = pastedImages(clipboard({ text: PIXEL }));
    expect(files[0]?.type).toBe('image/png');
    expect(files[0]?.name).toMatch(/^[a-z0-9]{1,10}\.png$/);
    expect((await files[0]?.arrayBuffer())?.byteLength).toBe(8);
    expect(fileOfDataUrl('data:image/svg+xml;base64,AAAA')).toBeNull();
    expect(fileOfDataUrl('data:image/png;base64,***')).toBeNull();
  });

  it('of another page’s pictures becomes links', () => {
    const html = `<p><img alt="x" src="https://other.example/a.png"><img src='${PIXEL}'><img src="javascript:alert(1)"></p>`;
    const { files, links } = pastedImages(clipboard({ html }));
    expect(links).toEqual(['https://other.example/a.png']);
    expect(files).toHaveLength(1);
  });

  it('of text stays text, even with pictures in its markup', () => {
    const html = '<p>hello<img src="https://other.example/a.png"></p>';
    expect(pastedImages(clipboard({ text: 'hello', html }))).toEqual({ files: [], links: [] });
  });
});
