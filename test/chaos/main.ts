// npm run chaos -- …: drains through faults and kills; npm run chaos -- controller …: controllers in the place of Karmada's.
const [first, ...rest] = process.argv.slice(2);
if (first === 'controller') {
  process.argv.splice(2, Infinity, ...rest);
  await import('./controllers/run.ts');
} else await import('./run.ts');
