import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { GameName } from './goods-parts.tsx';

test('the name of a game precedes only a title that does not begin with it', () => {
  const shown = (title: string) => renderToStaticMarkup(<GameName name="和平精英" title={title} className="mr-1" />);
  expect(shown('安卓微信 枪皮67款')).toContain('和平精英');
  expect(shown('和平精英 安卓微信 点券代充')).toBe('');
});
