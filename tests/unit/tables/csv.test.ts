import { expect, test } from 'vitest';
import { csvLine } from '#server/kernel/csv.ts';

test('no cell starts a formula; amounts stay numbers; quotes, commas and line ends stay inside their cell', () => {
  for (const text of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', ' =1', '＝1', '|cmd', '-', '-1e9', '-1.234'])
    expect(csvLine([text]).replace(/^"/, '').startsWith("'"), JSON.stringify(text)).toBe(true);
  expect(csvLine(['-12.30', '0.00', '100'])).toBe('-12.30,0.00,100\r\n');
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', '普通'])).toBe('"a,b","say ""hi""","two\nlines",普通\r\n');
  expect(csvLine(['=HYPERLINK("http://x","点我")'])).toBe(`"'=HYPERLINK(""http://x"",""点我"")"\r\n`);
});
