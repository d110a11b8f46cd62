import { expect, test } from 'vitest';
import { pasteRegions } from './region-paste.ts';

const names = (areas: ReturnType<typeof pasteRegions>['areas']) =>
  areas.map(({ name, servers }) => [name, ...servers.map((server) => server.name)]);
const OLD = [{ name: '微信区', servers: [{ name: '一服' }] }];

test.each([
  '新区：一服、二服',
  '新区:一服,二服',
  '新区\t一服\t二服',
  '新区，一服，二服',
  '新区,一服；二服',
  '新区|一服|二服',
  '新区： 一服  二服 ',
])('an area with its servers: %s', (line) => {
  const { areas, ...counts } = pasteRegions([], line);
  expect(names(areas)).toEqual([['新区', '一服', '二服']]);
  expect(counts).toEqual({ addedAreas: 1, addedServers: 2, known: 0 });
});

test('a line without a separator is only an area', () => {
  const { areas, ...counts } = pasteRegions([], ' 甲区 \r\n\n乙区');
  expect(names(areas)).toEqual([['甲区'], ['乙区']]);
  expect(counts).toEqual({ addedAreas: 2, addedServers: 0, known: 0 });
});

test('existing names stay and are counted as known, except an area that gets a server', () => {
  const { areas, ...counts } = pasteRegions(OLD, '微信区：一服、二服\n微信区\n微信区：三服\n新区\n新区');
  expect(names(areas)).toEqual([['微信区', '一服', '二服', '三服'], ['新区']]);
  expect(counts).toEqual({ addedAreas: 1, addedServers: 2, known: 3 });
});

test('every line lists servers when an area is selected', () => {
  const { areas, ...counts } = pasteRegions(OLD, '二服、三服\n一服\n ;四服', 0);
  expect(names(areas)).toEqual([['微信区', '一服', '二服', '三服', '四服']]);
  expect(counts).toEqual({ addedAreas: 0, addedServers: 3, known: 1 });
});

test('a line without a name of an area is left out', () => {
  expect(names(pasteRegions([], '：一服\n，').areas)).toEqual([]);
});

test('names are compared in composed form', () => {
  expect(names(pasteRegions([], 'Cafe\u0301\nCaf\u00e9').areas)).toEqual([['Caf\u00e9']]);
});

test('the input is not modified', () => {
  const given = [{ name: '微信区', servers: [{ name: '一服' }] }];
  pasteRegions(given, '微信区：二服\n新区');
  expect(given).toEqual(OLD);
});
