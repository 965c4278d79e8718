import { inEveryWorld } from './everyWorld.ts';

inEveryWorld({
  seeds: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  recorded: ['0005'],
  mended: true,
});
