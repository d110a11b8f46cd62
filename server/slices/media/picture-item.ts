/** A picture of a listing as its row stores it: uploaded, or drawn for the demo market from a seed. */
export type PictureItem = { key: string; width: number; height: number } | { art: string | number };
