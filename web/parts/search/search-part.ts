/** Which part of the search is being chosen. */
export type SearchPart = 'game' | 'area' | 'server' | 'type';
