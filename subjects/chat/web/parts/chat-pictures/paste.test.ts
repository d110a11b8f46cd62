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
  it('yields the pictures among pasted files', () => {
    const png = new File(['x'], 'a.png', { type: 'image/png' });
    const txt = new File(['x'], 'a.txt', { type: 'text/plain' });
    expect(pastedImages(clipboard({ files: [txt, png] }))).toEqual({ files: [png], links: [] });
  });

  it('turns a data URL into a file with a random name', async () => {
    const { files } = pastedImages(clipboard({ text: PIXEL }));
    expect(files[0]?.type).toBe('image/png');
    expect(files[0]?.name).toMatch(/^[a-z0-9]{1,10}\.png$/);
    expect((await files[0]?.arrayBuffer())?.byteLength).toBe(8);
    expect(fileOfDataUrl('data:image/svg+xml;base64,AAAA')).toBeNull();
    expect(fileOfDataUrl('data:image/png;base64,***')).toBeNull();
  });

  it('turns pictures of another page into links', () => {
    const html = `<p><img alt="x" src="https://other.example/a.png"><img src='${PIXEL}'><img src="javascript:alert(1)"></p>`;
    const { files, links } = pastedImages(clipboard({ html }));
    expect(links).toEqual(['https://other.example/a.png']);
    expect(files).toHaveLength(1);
  });

  it('keeps text as text, even with pictures in its markup', () => {
    const html = '<p>hello<img src="https://other.example/a.png"></p>';
    expect(pastedImages(clipboard({ text: 'hello', html }))).toEqual({ files: [], links: [] });
  });
});

describe('a data URL', () => {
  it.each([
    ['data:image/png;base64,AAAA', 'image/png', 'png', 3],
    ['data:image/jpeg;base64,AAAA', 'image/jpeg', 'jpeg', 3],
    ['data:image/jpg;base64,AA==', 'image/jpeg', 'jpeg', 1],
    ['DATA:IMAGE/PNG;BASE64,AAA=', 'image/png', 'png', 2],
    [' data:image/png;base64,AA AA\nAA\tAA ', 'image/png', 'png', 6],
    ['data:image/png;base64,+/Az', 'image/png', 'png', 3],
  ])('%j is a picture', (url, type, ending, size) => {
    const file = fileOfDataUrl(url);
    expect([file?.type, file?.size, file?.name.split('.')[1]]).toEqual([type, size, ending]);
    expect(file?.name.split('.')[0]).toMatch(/^[a-z0-9]{1,10}$/);
  });

  it.each([
    '',
    'data:image/gif;base64,AAAA',
    'data:image/pngx;base64,AAAA',
    'data:text/html;base64,AAAA',
    'data:image/png,AAAA',
    'data:image/png;base64,',
    'data:image/png;base64,A',
    'data:image/png;base64,AAAA!',
    'data:image/png;base64,!AAAA',
    'xdata:image/png;base64,AAAA',
    'https://other.example/a.png',
  ])('%j is none', (url) => {
    expect(fileOfDataUrl(url)).toBeNull();
  });

  it('has its bytes, and a name that the next one does not have', async () => {
    const [one, other] = [fileOfDataUrl(PIXEL), fileOfDataUrl(PIXEL)];
    expect([...new Uint8Array((await one?.arrayBuffer()) ?? new ArrayBuffer(0))]).toEqual([
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a,
    ]);
    expect(one?.name).not.toBe(other?.name);
  });
});

describe('the markup of a paste', () => {
  const linksOf = (html: string, text = '') => pastedImages(clipboard({ html, text })).links;

  it.each([
    ['<img src="https://a.example/1.png">', ['https://a.example/1.png']],
    ["<IMG class='x' SRC = 'HTTP://a.example/1.png'/>", ['HTTP://a.example/1.png']],
    [
      '<img\nsrc="https://a.example/1.png"><img src="https://a.example/2.png">',
      ['https://a.example/1.png', 'https://a.example/2.png'],
    ],
    ['<img src="">', []],
    ['<img alt="x">', []],
    ['<imgx src="https://a.example/1.png">', []],
    ['<img alt="x"><a src="https://a.example/1.png">', []],
    ['<img src="/a.png"><img src="xhttps://a.example">', []],
    ['', []],
  ])('%s has the links %j', (html, links) => {
    expect(linksOf(html)).toEqual(links);
  });

  it('counts only where the text is blank', () => {
    const html = '<img src="https://a.example/1.png">';
    expect(linksOf(html, ' \n ')).toEqual(['https://a.example/1.png']);
    expect(linksOf(html, ' x ')).toEqual([]);
  });

  it('does not count where files were pasted', () => {
    const png = new File(['x'], 'a.png', { type: 'image/png' });
    const html = '<img src="https://a.example/1.png">';
    expect(pastedImages(clipboard({ files: [png], html, text: PIXEL }))).toEqual({ files: [png], links: [] });
    const odd = new File(['x'], 'a.png', { type: 'ximage/png' });
    expect(pastedImages(clipboard({ files: [odd], html }))).toEqual({ files: [], links: ['https://a.example/1.png'] });
  });
});
